// Finds the constants of a graph, which are initializers or Constant nodes.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::reduce {

// Returns the initializer of that name, or null if the graph has none.
const onnx::TensorProto* find_weight(const onnx::GraphProto& graph, const std::string& name);

// Returns the value of the constant of that name that `graph` itself, a graph of `model`, defines; nothing if there is
// none or it can't be read.
std::optional<tensor::Tensor> find_value(const model::Model& model, const onnx::GraphProto& graph,
                                         const std::string& name);
// Returns the elements of that constant; nothing if there is none, it isn't of type int64 or it is external data.
std::optional<std::vector<std::int64_t>> find_integers(const onnx::GraphProto& graph, const std::string& name);

}  // namespace assay::reduce

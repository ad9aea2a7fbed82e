// Shapes and types of tensors: ONNX's own inference, and the merge of what an engine saw.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace assay::model {

// A dimension is a number (>= 0), or unknown: then -1, with or without a symbol.
struct Dimension {
  std::int64_t value = -1;
  std::string symbol;
};

struct TensorInfo {
  tensor::ElementType type = tensor::ElementType::undefined;
  std::optional<std::vector<Dimension>> shape;  // absent: not even the rank is known
};

// The type and shape that a value info declares; undefined and absent where it is no tensor or says nothing.
TensorInfo tensor_info(const onnx::ValueInfoProto& value);
onnx::ValueInfoProto to_value_info(const std::string& name, const TensorInfo& info);
// Every dimension known.
bool is_static(const TensorInfo& info);

// Runs onnx::shape_inference over the model, functions included, and writes what it finds into value_info and the
// outputs. What cannot be inferred stays unknown; it is an error only where inference itself breaks, and then `model`
// is unchanged.
base::Status infer_shapes(Model& model);
// What it finds alone: a graph of outputs and value_info. Copies neither nodes nor initializers of the model.
base::Expected<onnx::GraphProto> inferred_values(const Model& model);

// Type and shape of every tensor of the outer graph that the model tells (inputs, outputs, value_info, initializers).
std::map<std::string, TensorInfo> known_tensors(const Model& model);

// Sets the shapes of graph inputs; names that are no inputs are errors naming the inputs that exist. With
// `clear_stale`, value_info and output shapes, which may no longer hold, are removed.
base::Status override_input_shapes(Model& model, const std::map<std::string, std::vector<Dimension>>& shapes,
                                   bool clear_stale = true);

}  // namespace assay::model

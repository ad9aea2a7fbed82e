// The initializers of a graph, dense and sparse, in one form: what they are called, what nodes read, and what they
// take.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tensor/element_type.h"
#include "tensor/tensor.h"

namespace assay::model {

struct Initializer {
  std::string_view name;
  tensor::ElementType type = tensor::ElementType::undefined;
  tensor::Shape shape;      // of the tensor that nodes read
  std::uint64_t bytes = 0;  // stored: of a sparse one, its values and indices; computed from types and shapes
  const onnx::TensorProto* dense = nullptr;         // null if it is sparse
  const onnx::SparseTensorProto* sparse = nullptr;  // null if it is dense
};

Initializer describe_initializer(const onnx::TensorProto& weight);
Initializer describe_initializer(const onnx::SparseTensorProto& weight);

// Returns the initializers of the graph itself, the dense ones first, in the order of the file. They refer to the
// graph.
std::vector<Initializer> initializers(const onnx::GraphProto& graph);
// Returns the names of the same, which refer to the graph.
std::unordered_set<std::string_view> initializer_names(const onnx::GraphProto& graph);
// Returns the bytes of all of them.
std::uint64_t initializer_bytes(const onnx::GraphProto& graph);

}  // namespace assay::model

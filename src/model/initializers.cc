#include "model/initializers.h"

#include "model/weights.h"

namespace assay::model {

Initializer describe_initializer(const onnx::TensorProto& weight) {
  return {.name = weight.name(),
          .type = element_type(weight),
          .shape = shape(weight),
          .bytes = data_bytes(weight),
          .dense = &weight};
}

Initializer describe_initializer(const onnx::SparseTensorProto& weight) {
  return {.name = weight.values().name(),
          .type = element_type(weight.values()),
          .shape = {weight.dims().begin(), weight.dims().end()},
          .bytes = data_bytes(weight.values()) + data_bytes(weight.indices()),
          .sparse = &weight};
}

std::vector<Initializer> initializers(const onnx::GraphProto& graph) {
  std::vector<Initializer> result;
  result.reserve(static_cast<std::size_t>(graph.initializer_size() + graph.sparse_initializer_size()));
  for (const onnx::TensorProto& weight : graph.initializer()) result.push_back(describe_initializer(weight));
  for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) {
    result.push_back(describe_initializer(weight));
  }
  return result;
}

std::unordered_set<std::string_view> initializer_names(const onnx::GraphProto& graph) {
  std::unordered_set<std::string_view> names;
  for (const onnx::TensorProto& weight : graph.initializer()) names.insert(weight.name());
  for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) names.insert(weight.values().name());
  return names;
}

std::uint64_t initializer_bytes(const onnx::GraphProto& graph) {
  std::uint64_t bytes = 0;
  for (const onnx::TensorProto& weight : graph.initializer()) bytes += data_bytes(weight);
  for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) bytes += describe_initializer(weight).bytes;
  return bytes;
}

}  // namespace assay::model

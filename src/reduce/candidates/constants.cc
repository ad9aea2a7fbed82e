#include "reduce/candidates/constants.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "edit/subject.h"
#include "model/weights.h"

namespace assay::reduce {

namespace {

// Returns the constant as an initializer.
std::optional<onnx::TensorProto> find_constant(const onnx::GraphProto& graph, const std::string& name) {
  if (const onnx::TensorProto* weight = find_weight(graph, name)) return *weight;
  for (const onnx::NodeProto& node : graph.node()) {
    if (node.output_size() == 1 && node.output(0) == name) return edit::constant_value(node);
  }
  return std::nullopt;
}

}  // namespace

const onnx::TensorProto* find_weight(const onnx::GraphProto& graph, const std::string& name) {
  const auto at = std::ranges::find(graph.initializer(), name, &onnx::TensorProto::name);
  return at == graph.initializer().end() ? nullptr : &*at;
}

std::optional<tensor::Tensor> find_value(const model::Model& model, const onnx::GraphProto& graph,
                                         const std::string& name) {
  const auto constant = find_constant(graph, name);
  if (!constant) return std::nullopt;
  auto value = model::read_weight(model, *constant);
  return value ? std::optional(*std::move(value)) : std::nullopt;
}

std::optional<std::vector<std::int64_t>> find_integers(const onnx::GraphProto& graph, const std::string& name) {
  const auto constant = find_constant(graph, name);
  if (!constant || constant->data_type() != onnx::TensorProto::INT64) return std::nullopt;
  if (constant->data_location() == onnx::TensorProto::EXTERNAL) return std::nullopt;
  if (!constant->has_raw_data()) return std::vector(constant->int64_data().begin(), constant->int64_data().end());
  std::vector<std::int64_t> numbers(constant->raw_data().size() / sizeof(std::int64_t));
  std::memcpy(numbers.data(), constant->raw_data().data(), numbers.size() * sizeof(std::int64_t));
  return numbers;
}

}  // namespace assay::reduce

#include "surgeon/fold/known_shapes.h"

#include "model/weights.h"

namespace assay::surgeon {

KnownShapes::KnownShapes(const onnx::GraphProto& graph, const KnownShapes* outer) : outer_(outer) {
  for (const onnx::NodeProto& node : graph.node()) {
    for (const std::string& output : node.output()) names_[output] = {};
  }
  for (const onnx::ValueInfoProto& value : graph.value_info()) names_[value.name()].value = &value;
  for (const onnx::ValueInfoProto& value : graph.output()) names_[value.name()].value = &value;
  for (const onnx::ValueInfoProto& value : graph.input()) {
    names_[value.name()] = {.value = &value, .weight = nullptr, .is_input = true};
  }
  for (const onnx::TensorProto& weight : graph.initializer()) names_[weight.name()].weight = &weight;
}

model::TensorInfo KnownShapes::find(std::string_view name) const {
  for (const KnownShapes* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto at = scope->names_.find(name);
    if (at == scope->names_.end()) continue;
    const auto& [value, weight, is_input] = at->second;
    if (weight != nullptr && !is_input) {
      return model::static_info(model::element_type(*weight), model::shape(*weight));
    }
    return value == nullptr ? model::TensorInfo() : model::tensor_info(*value);
  }
  return {};
}

}  // namespace assay::surgeon

#include "surgeon/fold/known_shapes.h"

#include "model/weights.h"

namespace assay::surgeon {

KnownShapes::KnownShapes(const onnx::GraphProto& graph, const KnownShapes* outer) : outer_(outer) {
  for (const onnx::NodeProto& node : graph.node()) {
    for (const std::string& output : node.output()) names_[output] = {};
  }
  for (const onnx::ValueInfoProto& value : graph.value_info()) names_[value.name()].value = &value;
  for (const onnx::ValueInfoProto& value : graph.output()) names_[value.name()].value = &value;
  for (const onnx::ValueInfoProto& value : graph.input()) names_[value.name()].value = &value;
  for (const onnx::TensorProto& weight : graph.initializer()) names_[weight.name()].weight = &weight;
}

model::TensorInfo KnownShapes::find(std::string_view name) const {
  for (const KnownShapes* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto at = scope->names_.find(name);
    if (at == scope->names_.end()) continue;
    if (const onnx::TensorProto* weight = at->second.weight) {
      return model::static_info(model::element_type(*weight), model::shape(*weight));
    }
    return at->second.value == nullptr ? model::TensorInfo() : model::tensor_info(*at->second.value);
  }
  return {};
}

}  // namespace assay::surgeon

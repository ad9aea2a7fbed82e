// Builds a model of only this node, with what is known of its inputs as declarations and constants as initializers, and
// runs ONNX's shape inference on it.
#include "reduce/passes/infer_node.h"

#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <set>

#include "edit/changes/known_value_infos.h"
#include "edit/node_places.h"
#include "edit/subject.h"
#include "model/inference/infer_shapes.h"

namespace assay::reduce {
namespace {

using google::protobuf::util::MessageDifferencer;

onnx::TypeProto type_of(const onnx::GraphProto& graph, const std::string& name) {
  for (const auto* values : {&graph.output(), &graph.value_info()}) {
    for (const onnx::ValueInfoProto& value : *values) {
      if (value.name() == name && value.has_type()) return value.type();
    }
  }
  return {};
}

// Replaces unknown sizes by symbols, so that an output's size can be traced to an input's.
onnx::ValueInfoProto with_symbols(onnx::ValueInfoProto value) {
  if (!value.type().tensor_type().has_shape()) return value;
  int axis = 0;
  for (auto& size : *value.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
    if (!size.has_dim_value() && size.dim_param().empty())
      size.set_dim_param(value.name() + "/" + std::to_string(axis));
    ++axis;
  }
  return value;
}

bool is_complete(const onnx::TypeProto& type) {
  return type.tensor_type().has_shape() && std::ranges::all_of(type.tensor_type().shape().dim(), [](const auto& size) {
           return size.has_dim_value() || !size.dim_param().empty();
         });
}

}  // namespace

NodeInference::NodeInference(const PassInput& input) : input_(input) {
  for (const onnx::TensorProto& tensor : input.model.graph().initializer()) constants_[tensor.name()] = &tensor;
  for (const edit::NodePlace& place : edit::node_places(input.model.graph())) {
    for (const onnx::TensorProto& tensor : place.graph->initializer()) constants_.try_emplace(tensor.name(), &tensor);
    auto value = edit::constant_value(*place.node);
    if (value) constant_nodes_[place.node->output(0)] = *std::move(value);
  }
  for (const auto& [name, tensor] : constant_nodes_) constants_.try_emplace(name, &tensor);
}

std::optional<std::vector<onnx::TypeProto>> NodeInference::outputs(const onnx::NodeProto& node,
                                                                   const std::vector<onnx::TensorProto>& values) const {
  model::Model single = model::without_message(input_.model);
  single.proto.set_ir_version(onnx::IR_VERSION);  // before version 4, initializers would have to be inputs
  *single.proto.mutable_opset_import() = input_.model.proto.opset_import();
  onnx::GraphProto& graph = single.graph();
  graph.set_name("g");
  *graph.add_node() = node;
  std::set<std::string> seen{""};
  for (const std::string& name : node.input()) {
    if (!seen.insert(name).second) continue;
    const auto replaced = std::ranges::find(values, name, &onnx::TensorProto::name);
    if (replaced != values.end()) {
      *graph.add_initializer() = *replaced;
    } else if (const auto constant = constants_.find(name); constant != constants_.end()) {
      *graph.add_initializer() = *constant->second;
    } else if (const onnx::ValueInfoProto* known = edit::find_known(input_.known, name)) {
      *graph.add_input() = with_symbols(*known);
    } else {
      graph.add_input()->set_name(name);
    }
  }
  if (!model::infer_shapes(single)) return std::nullopt;
  std::vector<onnx::TypeProto> types;
  for (const std::string& name : node.output()) types.push_back(type_of(single.graph(), name));
  return types;
}

NodeInference::Effect NodeInference::compare(const onnx::NodeProto& before, const onnx::NodeProto& after,
                                             const std::vector<onnx::TensorProto>& values) const {
  const auto old = outputs(before);
  if (!old) return Effect::unknown;
  const auto now = outputs(after, values);
  if (!now) return Effect::other;
  Effect effect = Effect::none;
  for (std::size_t i = 0; i < now->size() && i < old->size(); ++i) {
    if (after.output(static_cast<int>(i)).empty()) continue;
    if (!MessageDifferencer::Equals((*old)[i], (*now)[i])) return Effect::other;
    if (!is_complete((*old)[i])) effect = Effect::unknown;
  }
  return effect;
}

}  // namespace assay::reduce

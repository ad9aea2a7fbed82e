#include "surgeon/constants.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "edit/subject.h"
#include "edit/visit_graphs.h"
#include "model/onnx_facts.h"

namespace assay::surgeon {
Constants::Constants(const onnx::GraphProto& graph, const Constants* outer) : outer_(outer) {
  for (const onnx::NodeProto& node : graph.node()) {
    for (const std::string& output : node.output()) names_[output] = nullptr;
  }
  for (const onnx::ValueInfoProto& input : graph.input()) names_[input.name()] = nullptr;
  for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) names_[weight.values().name()] = nullptr;
  for (const onnx::TensorProto& weight : graph.initializer()) names_[weight.name()] = &weight;
}

const onnx::TensorProto* Constants::find(std::string_view name) const {
  for (const Constants* scope = this; scope != nullptr; scope = scope->outer_) {
    if (const auto at = scope->names_.find(name); at != scope->names_.end()) return at->second;
  }
  return nullptr;
}

int lift_constants(onnx::ModelProto& model) {
  int lifted = 0;
  edit::visit_graphs(*model.mutable_graph(), [&](onnx::GraphProto& graph) {
    // In some files, two nodes define the same constant under the same name.
    std::unordered_map<std::string, std::string> values;
    int kept = 0;
    for (int i = 0; i < graph.node_size(); ++i) {
      auto value = edit::constant_value(graph.node(i));
      const auto known = value ? values.find(value->name()) : values.end();
      if (!value || (known != values.end() && known->second != value->SerializeAsString())) {
        graph.mutable_node()->SwapElements(kept++, i);
        continue;
      }
      ++lifted;
      if (known != values.end()) continue;
      values.emplace(value->name(), value->SerializeAsString());
      add_initializer(model, graph, *std::move(value));
    }
    graph.mutable_node()->DeleteSubrange(kept, graph.node_size() - kept);
  });
  return lifted;
}

void add_initializer(onnx::ModelProto& model, onnx::GraphProto& graph, onnx::TensorProto weight) {
  if (model::initializers_are_inputs(model) && &graph == &model.graph()) {
    onnx::ValueInfoProto& input = *graph.add_input();
    input.set_name(weight.name());
    onnx::TypeProto::Tensor& type = *input.mutable_type()->mutable_tensor_type();
    type.set_elem_type(weight.data_type());
    type.mutable_shape();
    for (const std::int64_t size : weight.dims()) type.mutable_shape()->add_dim()->set_dim_value(size);
  }
  *graph.add_initializer() = std::move(weight);
}

}  // namespace assay::surgeon

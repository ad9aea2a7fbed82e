#include "surgeon/graph/constants.h"

#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/at.h"
#include "edit/keep_if.h"
#include "edit/subject.h"
#include "edit/visit_graphs.h"
#include "model/graph_view.h"
#include "model/onnx_facts.h"
#include "model/shapes.h"

namespace assay::surgeon {
Constants::Constants(const onnx::GraphProto& graph, const Constants* outer) : outer_(outer) {
  for (const onnx::NodeProto& node : graph.node()) add(node);
  for (const onnx::ValueInfoProto& input : graph.input()) names_.try_emplace(input.name(), nullptr);
  for (const onnx::SparseTensorProto& weight : graph.sparse_initializer()) add(weight);
  for (const onnx::TensorProto& weight : graph.initializer()) add(weight);
}

void Constants::add(const onnx::NodeProto& node) {
  for (const std::string& output : node.output()) names_.try_emplace(output, nullptr);
}

void Constants::add(const onnx::SparseTensorProto& weight) {
  names_.try_emplace(weight.values().name(), nullptr);
}

void Constants::add(const onnx::TensorProto& weight) {
  names_[weight.name()] = &weight;
}

const onnx::TensorProto* Constants::find(std::string_view name) const {
  for (const Constants* scope = this; scope != nullptr; scope = scope->outer_) {
    if (const auto at = scope->names_.find(name); at != scope->names_.end()) return at->second;
  }
  return nullptr;
}

namespace {

using base::at;

// Marks the Constant nodes whose value another Constant replaces.
std::vector<bool> replaced_constants(const onnx::GraphProto& graph) {
  const model::GraphView view(graph);
  std::vector<bool> replaced(at(view.node_count()), false);
  for (model::NodeId id = 0; id < view.node_count(); ++id) {
    if (!edit::constant_value(view.node(id))) continue;
    const model::NodeId producer = view.producer(view.outputs(id).front());
    replaced[at(id)] =
        producer != id && producer != model::kNone && edit::constant_value(view.node(producer)).has_value();
  }
  return replaced;
}

}  // namespace

int lift_constants(onnx::ModelProto& model) {
  int lifted = 0;
  edit::visit_graphs(*model.mutable_graph(), [&](onnx::GraphProto& graph) {
    // In some files, several nodes define a constant of the same name: only the one that counts becomes an initializer.
    const std::vector<bool> replaced = replaced_constants(graph);
    std::vector<onnx::TensorProto> weights;
    std::unordered_set<std::string> names;
    int kept = 0;
    for (int i = 0; i < graph.node_size(); ++i) {
      auto value = edit::constant_value(graph.node(i));
      if (!value) {
        graph.mutable_node()->SwapElements(kept++, i);
      } else if (!replaced[at(i)]) {
        names.insert(value->name());
        weights.push_back(*std::move(value));
      }
    }
    lifted += graph.node_size() - kept;
    graph.mutable_node()->DeleteSubrange(kept, graph.node_size() - kept);
    edit::keep_if(*graph.mutable_initializer(), [&](const auto& weight) { return !names.contains(weight.name()); });
    for (onnx::TensorProto& weight : weights) add_initializer(model, graph, std::move(weight));
  });
  return lifted;
}

void add_initializer(onnx::ModelProto& model, onnx::GraphProto& graph, onnx::TensorProto weight) {
  if (model::initializers_are_inputs(model) && &graph == &model.graph()) {
    *graph.add_input() = model::to_value_info(weight);
  }
  *graph.add_initializer() = std::move(weight);
}

}  // namespace assay::surgeon

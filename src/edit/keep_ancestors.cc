#include "edit/keep_ancestors.h"

#include <string>
#include <unordered_set>
#include <vector>

#include "base/at.h"
#include "edit/keep_if.h"
#include "model/graph_view.h"

namespace assay::edit {
namespace {

using base::at;

// Indexed by the ids of GraphView.
struct Needed {
  std::vector<bool> nodes;
  std::vector<bool> tensors;
};

Needed needed_by_outputs(const model::GraphView& view) {
  Needed needed{std::vector<bool>(at(view.node_count())), std::vector<bool>(at(view.tensor_count()))};
  std::vector<model::TensorId> todo;
  const auto need = [&](model::TensorId id) {
    if (id == model::kNone || needed.tensors[at(id)]) return;
    needed.tensors[at(id)] = true;
    todo.push_back(id);
  };
  for (const auto& output : view.graph().output()) need(view.find(output.name()));
  while (!todo.empty()) {
    const model::NodeId node = view.producer(todo.back());
    todo.pop_back();
    if (node == model::kNone || needed.nodes[at(node)]) continue;
    needed.nodes[at(node)] = true;
    for (const model::TensorId input : view.inputs(node)) need(input);
    for (const model::TensorId output : view.outputs(node)) needed.tensors[at(output)] = true;
  }
  return needed;
}

}  // namespace

void keep_ancestors(model::Model& model) {
  onnx::GraphProto& graph = model.graph();
  Needed needed;
  std::unordered_set<std::string> unused;
  {
    const model::GraphView view(graph);
    needed = needed_by_outputs(view);
    for (model::TensorId id = 0; id < view.tensor_count(); ++id) {
      if (!needed.tensors[at(id)]) unused.emplace(view.name(id));
    }
  }
  for (const auto& input : graph.input()) unused.erase(input.name());
  keep_if(*graph.mutable_node(), [&, next = needed.nodes.begin()](const auto&) mutable { return *next++; });
  const auto is_used = [&](const std::string& name) { return !unused.contains(name); };
  keep_if(*graph.mutable_initializer(), [&](const auto& tensor) { return is_used(tensor.name()); });
  keep_if(*graph.mutable_sparse_initializer(), [&](const auto& sparse) { return is_used(sparse.values().name()); });
  keep_if(*graph.mutable_value_info(), [&](const auto& value) { return is_used(value.name()); });
  keep_if(*graph.mutable_quantization_annotation(), [&](const auto& note) { return is_used(note.tensor_name()); });
}

}  // namespace assay::edit

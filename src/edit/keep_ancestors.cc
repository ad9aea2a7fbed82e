#include "edit/keep_ancestors.h"

#include <string>
#include <unordered_set>
#include <vector>

#include "base/at.h"
#include "edit/keep_if.h"
#include "model/dependencies.h"

namespace assay::edit {
namespace {

using base::at;

// Returns, for each tensor, whether it is an output of the graph, or one of these nodes reads or computes it.
std::vector<bool> tensors_of(const model::GraphView& view, const std::vector<bool>& nodes) {
  std::vector<bool> tensors(at(view.tensor_count()), false);
  for (const auto& output : view.graph().output()) tensors[at(view.find(output.name()))] = true;
  for (model::NodeId node = 0; node < view.node_count(); ++node) {
    if (!nodes[at(node)]) continue;
    for (const model::TensorId input : view.inputs(node)) tensors[at(input)] = true;
    for (const model::TensorId output : view.outputs(node)) tensors[at(output)] = true;
  }
  return tensors;
}

}  // namespace

void keep_ancestors(model::Model& model) {
  onnx::GraphProto& graph = model.graph();
  std::vector<bool> needed;
  std::unordered_set<std::string> unused;
  {
    const model::GraphView view(graph);
    needed = model::needed_nodes(view);
    const std::vector<bool> used = tensors_of(view, needed);
    for (model::TensorId id = 0; id < view.tensor_count(); ++id) {
      if (!used[at(id)]) unused.emplace(view.name(id));
    }
  }
  for (const auto& input : graph.input()) unused.erase(input.name());
  keep_if(*graph.mutable_node(), [&, next = needed.begin()](const auto&) mutable { return *next++; });
  const auto is_used = [&](const std::string& name) { return !unused.contains(name); };
  keep_if(*graph.mutable_initializer(), [&](const auto& tensor) { return is_used(tensor.name()); });
  keep_if(*graph.mutable_sparse_initializer(), [&](const auto& sparse) { return is_used(sparse.values().name()); });
  keep_if(*graph.mutable_value_info(), [&](const auto& value) { return is_used(value.name()); });
  keep_if(*graph.mutable_quantization_annotation(), [&](const auto& note) { return is_used(note.tensor_name()); });
}

}  // namespace assay::edit

// Removes graph inputs and initializers that no node reads, and graph inputs that only allow an initializer to be
// overridden (from IR version 4 on; before that, every initializer has to be an input).
#include "edit/graph_names.h"
#include "model/onnx_facts.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {

std::vector<edit::ModelChange> drop_unread_inputs(const PassInput& input) {
  const onnx::GraphProto& graph = input.model.graph();
  const edit::GraphNames names = edit::collect_names(graph).at(&graph);
  std::vector<edit::ModelChange> changes;
  edit::GraphNames::Set weights;
  for (const onnx::TensorProto& tensor : graph.initializer()) weights.insert(tensor.name());
  for (const onnx::SparseTensorProto& sparse : graph.sparse_initializer()) weights.insert(sparse.values().name());
  for (const onnx::ValueInfoProto& value : graph.input()) {
    const std::string& name = value.name();
    if (!names.uses(name)) {
      edit::ModelChange change{"unread input '" + name + "' removed", {edit::RemoveInput{{}, name}}};
      if (weights.erase(name) > 0) change.primitives.push_back(edit::RemoveInitializer{{}, name});
      changes.push_back(std::move(change));
    } else if (weights.contains(name) && !model::initializers_are_inputs(input.model.proto)) {
      changes.push_back({"initializer '" + name + "' removed from the inputs", {edit::RemoveInput{{}, name}}});
    }
  }
  for (const std::string_view name : weights) {
    if (names.uses(name)) continue;
    changes.push_back(
        {"unread initializer '" + std::string(name) + "' removed", {edit::RemoveInitializer{{}, std::string(name)}}});
  }
  return changes;
}

}  // namespace assay::reduce

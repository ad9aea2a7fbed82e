// Removes graph inputs and initializers that no node reads, and graph inputs that only allow an initializer to be
// overridden (from IR version 4 on; before that, every initializer has to be an input).
#include "edit/graph_names.h"
#include "model/onnx_facts.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {
namespace {

template <class Field>
bool has(const Field& values, const std::string& name) {
  return std::ranges::any_of(values, [&](const auto& value) { return value.name() == name; });
}

void look_at_outer(const model::Model& model, const edit::GraphNames& names, std::vector<edit::ModelChange>& changes) {
  const onnx::GraphProto& graph = model.graph();
  edit::GraphNames::Set weights;
  for (const onnx::TensorProto& tensor : graph.initializer()) weights.insert(tensor.name());
  for (const onnx::SparseTensorProto& sparse : graph.sparse_initializer()) weights.insert(sparse.values().name());
  for (const onnx::ValueInfoProto& input : graph.input()) {
    const std::string& name = input.name();
    if (!names.uses(name)) {
      edit::ModelChange change{"unread input '" + name + "' removed", {edit::RemoveInput{{}, name}}};
      if (weights.erase(name) > 0) change.primitives.push_back(edit::RemoveInitializer{{}, name});
      changes.push_back(std::move(change));
    } else if (weights.contains(name) && !model::initializers_are_inputs(model.proto)) {
      changes.push_back({"initializer '" + name + "' removed from the inputs", {edit::RemoveInput{{}, name}}});
    }
  }
  for (const std::string_view name : weights) {
    if (names.uses(name)) continue;
    changes.push_back(
        {"unread initializer '" + std::string(name) + "' removed", {edit::RemoveInitializer{{}, std::string(name)}}});
  }
}

}  // namespace

std::vector<edit::ModelChange> drop_unread_inputs(const PassInput& input) {
  std::vector<edit::ModelChange> changes;
  const edit::NamesByGraph names = edit::collect_names(input.model.graph());
  look_at_outer(input.model, names.at(&input.model.graph()), changes);
  return changes;
}

}  // namespace assay::reduce

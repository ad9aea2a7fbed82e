// Removes nodes of the outer graph, each alone. A Constant node becomes an initializer, since it wouldn't be simpler as
// an input. The only node isn't removed, since that would leave nothing to check.
#include "edit/node_places.h"
#include "edit/subject.h"
#include "reduce/passes/node_passes.h"

namespace assay::reduce {

std::vector<edit::ModelChange> remove_nodes(const PassInput& input) {
  const std::vector<edit::NodePlace> places = edit::outer_node_places(input.model.graph());
  std::vector<edit::ModelChange> changes;
  for (const edit::NodePlace& place : places) {
    edit::ModelChange change{model::describe_node(*place.node) + " removed", {edit::RemoveNode{place.ref}}};
    if (auto value = edit::constant_value(*place.node)) {
      change.what = model::describe_node(*place.node) + " turned into an initializer";
      change.primitives.push_back(edit::SetInitializer{{}, *std::move(value)});
    } else if (places.size() == 1) {
      continue;
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace assay::reduce

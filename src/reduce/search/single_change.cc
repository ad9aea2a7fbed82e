#include "reduce/search/single_change.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "reduce/candidates/bound_loops.h"

namespace assay::reduce {
namespace {

// Returns the node that a change removes or replaces; null if it does neither.
const edit::NodeRef* removed_node(const edit::ModelChange& change) {
  for (const edit::Primitive& primitive : change.primitives) {
    if (const auto* remove = std::get_if<edit::RemoveNode>(&primitive)) return &remove->node;
    if (const auto* replace = std::get_if<edit::ReplaceNode>(&primitive)) return &replace->node;
  }
  return nullptr;
}

bool names_same_node(const edit::NodeRef& a, const edit::NodeRef& b) {
  return a.graph == b.graph && a.output == b.output && a.nth == b.nth;
}

}  // namespace

std::optional<std::size_t> position_of_removed(const edit::ModelChange& change,
                                               const std::vector<edit::NodeRef>& nodes) {
  const edit::NodeRef* removed = removed_node(change);
  if (removed == nullptr) return std::nullopt;
  const auto at = std::ranges::find_if(nodes, [&](const edit::NodeRef& ref) { return names_same_node(ref, *removed); });
  if (at == nodes.end()) return std::nullopt;
  return static_cast<std::size_t>(at - nodes.begin());
}

bool is_emptied(const model::Model& before, const model::Model& after) {
  const bool had_outputs = before.graph().output_size() > 0;
  return after.graph().node_size() == 0 || (had_outputs && after.graph().output_size() == 0);
}

SharedModel apply_alone(const model::Model& model, const edit::ModelChange& change, const edit::ValueInfos& known) {
  edit::Applied applied = edit::apply(model, {&change}, known);
  if (applied.applied == 0 || is_emptied(model, applied.model)) return nullptr;
  bound_loops(model, known, applied.model);
  return std::make_shared<const model::Model>(std::move(applied.model));
}

}  // namespace assay::reduce

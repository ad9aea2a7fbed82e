// Removes nodes of bodies, for failures that need the node around them. Each output of such a node becomes an input of
// the outer graph, which bodies can read. What a body returns has to be computed in it, so there an Identity of the new
// input replaces the node.
#include <fmt/format.h>

#include "reduce/candidates/body_graphs.h"
#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/replace_output.h"

namespace assay::reduce {
namespace {

class Remover {
 public:
  Remover(const PassInput& input, FreshNames& names) : input_(input), names_(names) {}

  std::optional<edit::ModelChange> remove(const Place& place, const onnx::NodeProto& node) {
    edit::ModelChange change;
    edit::ReplaceNode replace{reference_to(place, node), {}};
    replace.node.op_type = node.op_type();
    for (const std::string& output : node.output()) {
      const bool is_returned = is_output(*place.graph, output);
      if (output.empty() || (!is_returned && !is_read(*place.graph, output))) continue;
      const bool gains_nothing = is_operator(node, "Identity") || is_operator(node, "Constant");
      if (is_returned && gains_nothing) return std::nullopt;
      auto type = type_of(*place.graph, output, input_.known);
      if (!type || !type->type().tensor_type().has_shape()) return std::nullopt;
      const bool only_here = names_.count(output) == 1 && input_.known.contains(output);
      if (only_here && !is_returned) continue;  // edit::apply turns it into an input
      const std::string name = names_.make(output);
      type->set_name(name);
      change.primitives.emplace_back(edit::SetInput{*std::move(type)});
      replace_output(place, output, name, is_returned, replace, change);
    }
    change.what = fmt::format("{} in the body of '{}' {}", model::describe_node(node), place.path.steps.back().node,
                              replace.with.empty() ? "removed" : "replaced by an input");
    change.primitives.emplace_back(std::move(replace));
    return change;
  }

 private:
  const PassInput& input_;
  FreshNames& names_;
};

}  // namespace

std::vector<edit::ModelChange> remove_body_nodes(const PassInput& input) {
  std::vector<edit::ModelChange> changes;
  FreshNames names(input.model.graph());
  Remover remover(input, names);
  for (const Place& place : bodies_of(input.model.graph())) {
    for (const onnx::NodeProto& node : place.graph->node()) {
      if (reference_to(place, node).output.empty()) continue;
      if (auto change = remover.remove(place, node)) changes.push_back(*std::move(change));
    }
  }
  return changes;
}

}  // namespace assay::reduce

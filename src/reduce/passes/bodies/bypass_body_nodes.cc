// Removes a node of a body and lets its readers read one of its inputs that has the same type and shape. If the body
// returns the node's output, it returns that input instead, through an Identity unless the body computes the input
// itself: engines reject a body that returns what it was given.
#include <fmt/format.h>

#include <algorithm>

#include "edit/keeps_type.h"
#include "reduce/candidates/body_graphs.h"
#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bypass.h"
#include "reduce/passes/replace_output.h"

namespace assay::reduce {
namespace {

bool made_by_node(const onnx::GraphProto& graph, const std::string& tensor) {
  return std::any_of(graph.node().begin(), graph.node().end(), [&](const onnx::NodeProto& node) {
    return std::find(node.output().begin(), node.output().end(), tensor) != node.output().end();
  });
}

std::optional<edit::ModelChange> bypass(const PassInput& input, const Place& place, const onnx::NodeProto& node,
                                        const std::string& from) {
  const std::string& output = node.output(0);
  const bool is_returned = is_output(*place.graph, output);
  const bool needs_identity = is_returned && (is_output(*place.graph, from) || !made_by_node(*place.graph, from));
  if (needs_identity && is_operator(node, "Identity")) return std::nullopt;
  const auto made = type_of(*place.graph, output, input.known);
  const auto read = type_of(*place.graph, from, input.known);
  const bool keeps_type = edit::keeps_type(node) && from == node.input(0);
  if (!keeps_type && !(made && read && same_type(*made, *read))) return std::nullopt;

  edit::ModelChange change;
  change.what =
      fmt::format("{} in the body of '{}' bypassed", model::describe_node(node), place.path.steps.back().node);
  edit::ReplaceNode replace{reference_to(place, node), {}};
  replace.node.op_type = node.op_type();
  replace_output(place, output, from, needs_identity, replace, change);
  change.primitives.emplace_back(std::move(replace));
  return change;
}

}  // namespace

std::vector<edit::ModelChange> bypass_nodes_in_bodies(const PassInput& input, WantedNode wanted) {
  std::vector<edit::ModelChange> changes;
  for (const Place& place : bodies_of(input.model.graph())) {
    for (const onnx::NodeProto& node : place.graph->node()) {
      if (node.output_size() != 1 || node.output(0).empty() || !wanted(node)) continue;
      for (const std::string& from : node.input()) {
        if (from.empty()) continue;
        auto change = bypass(input, place, node, from);
        if (!change) continue;
        changes.push_back(*std::move(change));
        break;
      }
    }
  }
  return changes;
}

std::vector<edit::ModelChange> bypass_body_nodes(const PassInput& input) {
  return bypass_nodes_in_bodies(input, [](const onnx::NodeProto&) { return true; });
}

}  // namespace assay::reduce

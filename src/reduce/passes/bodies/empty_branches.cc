// Usually only one branch of an If causes the failure. The other one, however large, is replaced by one constant for
// each of its outputs: zeros of the output's type, with unknown sizes set to 1. That is one check, while searching the
// branch takes many.
#include <fmt/format.h>

#include <algorithm>

#include "reduce/candidates/body_graphs.h"
#include "reduce/candidates/zeros.h"
#include "reduce/passes/bodies/body_passes.h"

namespace assay::reduce {
namespace {

std::optional<onnx::AttributeProto> emptied(const onnx::AttributeProto& attribute, const edit::ValueInfos& known) {
  const onnx::GraphProto& branch = attribute.g();
  if (branch.node_size() <= branch.output_size() && bodies_of(branch).empty()) return std::nullopt;
  onnx::AttributeProto result;
  result.set_name(attribute.name());
  result.set_type(onnx::AttributeProto::GRAPH);
  onnx::GraphProto& graph = *result.mutable_g();
  graph.set_name(branch.name());
  for (const onnx::ValueInfoProto& output : branch.output()) {
    auto type = type_of(branch, output.name(), known);
    if (!type || !has_shape(*type)) return std::nullopt;
    type->set_name(output.name());
    auto zeros = zeros_node(*type);
    if (!zeros) return std::nullopt;
    *graph.add_node() = *std::move(zeros);
    *graph.add_output() = output;
  }
  return result;
}

}  // namespace

std::vector<edit::ModelChange> empty_branches(const PassInput& input) {
  std::vector<edit::ModelChange> changes;
  for (const Place& place : graphs_of(input.model.graph())) {
    for (const onnx::NodeProto& node : place.graph->node()) {
      if (!is_operator(node, "If")) continue;
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (!attribute.has_g()) continue;
        auto branch = emptied(attribute, input.known);
        if (!branch) continue;
        edit::NodeRef reference = reference_to(place, node);
        reference.op_type = node.op_type();  // so that it doesn't match a constant that replaced it in an outer branch
        changes.push_back({fmt::format("{} of {} replaced by constants", attribute.name(), model::describe_node(node)),
                           {edit::SetAttribute{std::move(reference), *std::move(branch)}}});
      }
    }
  }
  return changes;
}

}  // namespace assay::reduce

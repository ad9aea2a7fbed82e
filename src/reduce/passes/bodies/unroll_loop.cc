// Replaces a Loop by its first iteration, whose carried inputs are the Loop's initial values. A later iteration needs
// what the iterations before it carry, so these stay, as a Loop with that many rounds.
#include "reduce/passes/bodies/unroll_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "reduce/candidates/constants.h"
#include "reduce/candidates/loop_parts.h"
#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bodies/open_body.h"
#include "reduce/passes/bodies/scan_outputs.h"

namespace assay::reduce {
namespace {

// Returns nothing if the node isn't a valid Loop whose states all have initial values.
std::optional<LoopParts> unrollable(const onnx::NodeProto& node) {
  const auto loop = read_loop(node);
  if (!loop) return std::nullopt;
  const bool named = std::none_of(node.input().begin() + kBeforeStates, node.input().end(),
                                  [](const std::string& name) { return name.empty(); });
  return named ? loop : std::nullopt;
}

// Returns a Loop of the given number of rounds that outputs only what it carries, under new names.
onnx::NodeProto rounds_before(const onnx::NodeProto& node, const std::string& rounds, FreshNames& names) {
  const int carried = node.input_size() - kBeforeStates;
  onnx::NodeProto before = node;
  before.set_input(0, rounds);
  before.clear_output();
  for (int i = 0; i < carried; ++i) {
    const std::string& name = node.output(i).empty() ? node.input(i + kBeforeStates) : node.output(i);
    before.add_output(names.make(name + "_before"));
  }
  for (onnx::AttributeProto& attribute : *before.mutable_attribute()) {
    auto& outputs = *attribute.mutable_g()->mutable_output();
    if (attribute.name() == "body") outputs.DeleteSubrange(carried + 1, outputs.size() - carried - 1);
  }
  return before;
}

// Declares the outputs of the Loop of earlier rounds, since inference has to assume that sizes and ranks change from
// round to round.
void declare_carried(const PassInput& input, const Place& place, const onnx::NodeProto& node,
                     const onnx::NodeProto& before, edit::ModelChange& change) {
  if (!place.path.steps.empty()) return;
  for (int i = 0; i < before.output_size(); ++i) {
    const auto at_first = type_of(*place.graph, node.input(i + kBeforeStates), input.known);
    auto at_last = type_of(*place.graph, node.output(i), input.known);
    if (!at_first || !at_last || !same_type(*at_first, *at_last)) continue;
    at_last->set_name(before.output(i));
    change.primitives.emplace_back(edit::SetValueInfo{*std::move(at_last)});
  }
}

std::optional<UnrolledLoop> unroll(const PassInput& input, const Place& place, const onnx::NodeProto& node,
                                   std::int64_t number, FreshNames& names) {
  const auto loop = unrollable(node);
  if (!loop) return std::nullopt;
  const auto [body, carried] = *loop;
  const std::string iteration = names.keep_or_make(body->input(0).name());
  const std::string condition = names.keep_or_make(body->input(1).name());
  std::vector<std::string> inputs{iteration, condition};
  std::optional<onnx::NodeProto> before;
  const std::string rounds = number > 0 && carried > 0 ? names.make(iteration + "_rounds") : "";
  if (!rounds.empty()) before = rounds_before(node, rounds, names);
  for (int i = 0; i < carried; ++i) inputs.push_back(before ? before->output(i) : node.input(i + kBeforeStates));
  ScanOutputs stacked(place, node, carried, *body, 1, input.known);
  std::vector<std::string> outputs = stacked.slice_names(names);
  outputs.insert(outputs.begin(), "");  // the condition, which isn't used

  // The Loop of earlier rounds contains the body, too, so the opened copy needs other names.
  auto opened = open_body(*body, inputs, outputs, names, before ? BodyIs::made_up : BodyIs::in_model);
  if (!opened) return std::nullopt;
  if (opened->reads(iteration)) opened->initializers.push_back(int64_scalar(iteration, number));
  if (opened->reads(condition)) opened->initializers.push_back(bool_scalar(condition, true));
  stacked.stack(*opened, {}, model::default_opset(input.model.proto), names);
  if (before) {
    opened->initializers.push_back(int64_scalar(rounds, number));
    opened->nodes.insert(opened->nodes.begin(), *before);
  }
  const std::string what = number == 0 ? "one iteration" : fmt::format("iteration {}", number);
  UnrolledLoop unrolled;
  unrolled.before = before ? before->output(0) : "";
  unrolled.change = put_in_place(place, node, *std::move(opened),
                                 fmt::format("{} replaced by {} of its body", model::describe_node(node), what));
  stacked.declare(unrolled.change, {});
  if (before) declare_carried(input, place, node, *before, unrolled.change);
  return unrolled;
}

std::optional<std::int64_t> most_rounds(const PassInput& input, const std::string& name) {
  auto value = find_value(input.model, input.model.graph(), name);
  if (const tensor::Tensor* recorded = input.values.find(name); recorded != nullptr && !value) value = *recorded;
  if (!value || value->type() != tensor::ElementType::int64 || value->size() != 1) return std::nullopt;
  return value->load<std::int64_t>(0);
}

}  // namespace

std::vector<edit::ModelChange> unroll_loop(const PassInput& input) {
  std::vector<edit::ModelChange> changes;
  FreshNames names(input.model.graph());
  for (const Place& place : graphs_of(input.model.graph())) {
    for (const onnx::NodeProto& node : place.graph->node()) {
      if (auto unrolled = unroll(input, place, node, 0, names)) changes.push_back(std::move(unrolled->change));
    }
  }
  return changes;
}

std::vector<LoopNode> loops_of(const PassInput& input) {
  std::vector<LoopNode> loops;
  for (const onnx::NodeProto& node : input.model.graph().node()) {
    if (!unrollable(node) || node.output_size() == 0 || node.output(0).empty()) continue;
    loops.push_back({node.output(0), most_rounds(input, node.input(0))});
  }
  return loops;
}

std::optional<UnrolledLoop> unroll_to(const PassInput& input, const std::string& loop, std::int64_t number) {
  const onnx::GraphProto& graph = input.model.graph();
  FreshNames names(graph);
  for (const onnx::NodeProto& node : graph.node()) {
    if (node.output_size() == 0 || node.output(0) != loop) continue;
    return unroll(input, {.path = {}, .graph = &graph}, node, number, names);
  }
  return std::nullopt;
}

}  // namespace assay::reduce

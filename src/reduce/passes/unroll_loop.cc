// A Loop becomes its first iteration: what it carries starts with the initial values, and ends after one round.
#include <fmt/format.h>

#include "reduce/passes/body_passes.h"
#include "reduce/passes/open_body.h"
#include "reduce/passes/scan_outputs.h"

namespace assay::reduce {
namespace {

std::optional<edit::ModelChange> unroll(const PassInput& input, const Place& place, const onnx::NodeProto& node,
                                        FreshNames& names) {
  const onnx::GraphProto* body = find_body(node, "body");
  const int carried = node.input_size() - 2;
  if (body == nullptr || carried < 0 || body->input_size() != carried + 2) return std::nullopt;
  if (body->output_size() != node.output_size() + 1 || node.output_size() < carried) return std::nullopt;

  const std::string iteration = names.keep_or_make(body->input(0).name());
  const std::string condition = names.keep_or_make(body->input(1).name());
  std::vector<std::string> inputs{iteration, condition};
  for (int i = 2; i < node.input_size(); ++i) {
    if (node.input(i).empty()) return std::nullopt;
    inputs.push_back(node.input(i));
  }
  ScanOutputs stacked(place, node, carried, *body, 1, input.known);
  std::vector<std::string> outputs = stacked.slice_names(names);
  outputs.insert(outputs.begin(), "");  // whether to go on

  auto opened = open_body(*body, inputs, outputs, names);
  if (!opened) return std::nullopt;
  if (opened->reads(iteration)) opened->initializers.push_back(int64_constant(iteration, 0, false));
  if (opened->reads(condition)) opened->initializers.push_back(bool_constant(condition, true));
  stacked.stack(*opened, {}, model::default_opset(input.model.proto), names);
  edit::ModelChange change =
      put_in_place(place, node, *std::move(opened), fmt::format("{} by one iteration of its body", describe(node)));
  stacked.declare(change);
  return change;
}

}  // namespace

std::vector<edit::ModelChange> unroll_loop(const PassInput& input) {
  std::vector<edit::ModelChange> changes;
  FreshNames names(input.model.graph());
  for (const Place& place : graphs_of(input.model.graph())) {
    for (const onnx::NodeProto& node : place.graph->node()) {
      if (!is_operator(node, "Loop")) continue;
      if (auto change = unroll(input, place, node, names)) changes.push_back(*std::move(change));
    }
  }
  return changes;
}

}  // namespace assay::reduce

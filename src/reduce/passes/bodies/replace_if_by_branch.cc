// Replaces an If by one of its branches. If a run or a constant tells which one is executed, that one is proposed
// first, since it computes the same as the If; with PassInput::keeps_values it is the only one.
#include <fmt/format.h>

#include <array>
#include <optional>

#include "reduce/candidates/constants.h"
#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bodies/open_body.h"

namespace assay::reduce {
namespace {

std::optional<bool> as_bool(const tensor::Tensor& value) {
  if (value.type() != tensor::ElementType::boolean || value.size() != 1) return std::nullopt;
  return value.load<std::uint8_t>(0) != 0;
}

// Returns the value of the condition, if known.
std::optional<bool> condition(const PassInput& input, const onnx::GraphProto& graph, const std::string& name) {
  for (const onnx::GraphProto* scope : {&graph, &input.model.graph()}) {
    if (const auto value = find_value(input.model, *scope, name)) return as_bool(*value);
    if (defines(*scope, name)) break;
  }
  const tensor::Tensor* seen = input.values.find(name);
  return seen != nullptr ? as_bool(*seen) : std::nullopt;
}

}  // namespace

std::vector<edit::ModelChange> replace_if_by_branch(const PassInput& input) {
  std::vector<edit::ModelChange> changes;
  FreshNames names(input.model.graph());
  for (const Place& place : graphs_of(input.model.graph())) {
    for (const onnx::NodeProto& node : place.graph->node()) {
      if (!is_operator(node, "If") || node.input_size() != 1) continue;
      const std::optional<bool> taken = condition(input, *place.graph, node.input(0));
      for (const bool which : {taken.value_or(true), !taken.value_or(true)}) {
        if (input.keeps_values && which != taken) continue;
        const onnx::GraphProto* branch = find_body(node, which ? model::kThenBranch : model::kElseBranch);
        if (branch == nullptr) continue;
        auto opened = open_body(*branch, {}, {node.output().begin(), node.output().end()}, names);
        if (!opened) continue;
        changes.push_back(put_in_place(
            place, node, *std::move(opened),
            fmt::format("{} replaced by its {} branch", model::describe_node(node), which ? "then" : "else")));
      }
    }
  }
  return changes;
}

}  // namespace assay::reduce

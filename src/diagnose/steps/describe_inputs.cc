// What are the inputs? Shows their values. Warns if the model may need real inputs: random numbers are good pixels, but
// bad indices, masks and token ids.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/counted.h"
#include "base/strings.h"
#include "diagnose/has_nan.h"
#include "diagnose/steps.h"
#include "model/graph_view.h"
#include "stats/summary.h"
#include "tensor/convert.h"

namespace assay::diagnose {
namespace {

using report::Mark;

// An input of an operator that holds positions in another tensor.
struct IndexInput {
  std::string_view op_type;
  int position;
};
constexpr std::array kIndexInputs = {IndexInput{"Gather", 1},          IndexInput{"GatherND", 1},
                                     IndexInput{"GatherElements", 1},  IndexInput{"ScatterND", 1},
                                     IndexInput{"ScatterElements", 1}, IndexInput{"OneHot", 0}};
constexpr std::array<std::string_view, 6> kTellingNames = {"ids", "mask", "token", "index", "indices", "length"};

// Returns what an input is made for, or an empty string if any numbers will do.
std::string purpose(const model::GraphView& view, const std::string& name) {
  const model::TensorId id = view.find(name);
  if (id == model::kNone) return {};
  for (const model::NodeId consumer : view.consumers(id)) {
    const onnx::NodeProto& node = view.node(consumer);
    for (const IndexInput& index : kIndexInputs) {
      if (node.op_type() == index.op_type && index.position < node.input_size() && node.input(index.position) == name) {
        return "indices of " + model::describe_node(node, consumer);
      }
    }
  }
  const std::string lower = base::to_lower(name);
  const auto word = std::ranges::find_if(kTellingNames, [&](auto part) { return lower.find(part) != lower.npos; });
  return word == kTellingNames.end() ? std::string() : "'" + std::string(*word) + "', as its name says";
}

bool is_whole(tensor::ElementType type) {
  return tensor::is_real(type) && tensor::info(type).kind != tensor::ElementKind::floating;
}

std::vector<std::string> row_of(const std::string& name, const tensor::Tensor& value) {
  std::vector<std::string> row = {name, value.describe(), "", "", ""};
  if (tensor::is_real(value.type()) && value.size() > 0) {
    const stats::Summary summary = stats::summarize(value);
    row[2] = fmt::format("{:.6g}", summary.min);
    row[3] = fmt::format("{:.6g}", summary.max);
    row[4] = fmt::format("{:.6g}", summary.mean);
  }
  return row;
}

}  // namespace

base::Expected<report::PageStep> describe_inputs(const Case& task, Facts& /*facts*/, StepContext& /*context*/) {
  report::PageTable table{
      .title = "Inputs of the first iteration", .columns = {"Input", "Type", "Minimum", "Maximum", "Mean"}, .rows = {}};
  const model::GraphView view(task.model.graph());
  std::vector<std::string> doubts = task.misfits;
  for (const auto& [name, value] : task.inputs.front()) {
    table.rows.push_back(row_of(name, value));
    if (has_nan(value)) doubts.push_back(fmt::format("'{}' holds NaN", name));
    const std::string made_for = task.inputs_are_random && is_whole(value.type()) ? purpose(view, name) : "";
    if (!made_for.empty())
      doubts.push_back(fmt::format("'{}' holds random numbers, but is made for {}", name, made_for));
  }
  std::string text = fmt::format("{}, {}", base::counted(task.inputs.front().size(), "input"),
                                 task.inputs_are_random ? "generated at random" : "given by the user");
  if (task.inputs.size() > 1) text += fmt::format("; {} iterations", task.inputs.size());
  if (!doubts.empty()) {
    text +=
        fmt::format(". {}{}", fmt::join(doubts, "; "),
                    task.inputs_are_random ? ". Give real data with --load-inputs if the result depends on it" : "");
  }
  report::PageStep answer = make_answer(doubts.empty() ? Mark::good : Mark::note, text);
  answer.tables.push_back(std::move(table));
  return answer;
}

}  // namespace assay::diagnose

#include "pages/reduction_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/counted.h"
#include "base/seconds.h"
#include "base/shorten_middle.h"
#include "base/strings.h"
#include "pages/graph.h"
#include "reduce/judge/repeat_rule.h"
#include "reduce/judge/signature.h"
#include "reduce/reduction_json.h"
#include "reduce/search/last_look.h"
#include "report/list_nodes.h"

namespace assay::pages {
namespace {

using reduce::Reduction;
using report::Mark;
using Kind = reduce::Verdict::Kind;

constexpr std::size_t kListedNodes = 200;  // of the minimal case, as text
constexpr int kLinesOfOutput = 40;
constexpr std::size_t kLengthOfLine = 500;

std::string_view claim(const Reduction& reduction) {
  if (!reduction.untried.empty()) {
    return "No node can be removed, except perhaps those named below: each of the others was tried alone.";
  }
  if (reduction.nodes_after == 0) return "There is no node to remove: inputs, outputs or weights alone fail.";
  if (reduction.nodes_after == 1) {
    return reduction.empty_fails ? "The check doesn't need it: a model without any node fails, too."
                                 : "Removing it makes the failure disappear (verified).";
  }
  return "No node can be removed: each was tried alone, in every way to supply its outputs (verified).";
}

std::string verdict_text(Kind kind, std::string_view text) {
  return fmt::format("{}{}{}", reduce::describe(kind), text.empty() ? "" : ": ", text);
}

// Returns the end of a sentence: " (exit status 1 with NOT_IMPLEMENTED)". May be empty.
std::string in_parentheses(const Reduction& reduction) {
  const std::string& text = reduction.verdict.text;
  if (text.empty()) return "";
  reduce::Signature failure = reduction.failure;
  failure.headline.clear();
  return fmt::format(" ({})", text == failure.ending ? reduce::describe(failure) : text);
}

std::string verdict_on(const ReductionFacts& facts) {
  const Reduction& reduction = facts.reduction;
  const std::string ending = in_parentheses(reduction);
  if (facts.stopped || reduction.error) {
    return fmt::format("Stopped early: the smallest failing model so far has {} of {}{}.", reduction.nodes_after,
                       base::counted(reduction.nodes_before, "node"), ending);
  }
  if (reduction.verbatim) return fmt::format("The model fails only byte for byte as it is{}.", ending);
  return fmt::format("{} of {} {} the failure{}.", reduction.nodes_after, base::counted(reduction.nodes_before, "node"),
                     reduction.nodes_after == 1 ? "shows" : "show", ending);
}

// The last lines of what the check wrote about the result.
report::PageTable output_table(std::string_view output) {
  report::PageTable table{.title = "Output of the check for the result", .columns = {"Line"}};
  std::vector<std::string> lines = base::split(base::trim(output), '\n');
  if (lines.size() > kLinesOfOutput) lines.erase(lines.begin(), lines.end() - kLinesOfOutput);
  for (const std::string& line : lines) table.rows.push_back({base::shorten_middle(line, kLengthOfLine)});
  return table;
}

report::PageStep failure_step(const Reduction& reduction) {
  const reduce::Verdict& verdict = reduction.verdict;
  report::PageStep step{
      .question = "Does the model fail?", .mark = Mark::bad, .answer = verdict_text(verdict.kind, verdict.text) + "."};
  const std::string& headline = reduction.failure.headline;
  if (!headline.empty()) step.answer += " The check reported: " + headline;
  if (!base::trim(verdict.output).empty()) step.tables.push_back(output_table(verdict.output));
  return step;
}

report::PageStep search_step(const Reduction& reduction) {
  const reduce::TrialCounts& counts = reduction.counts;
  report::PageStep step{.question = "Which nodes does the failure need?",
                        .mark = Mark::note,
                        .answer = fmt::format("{} of {} {} after {} ({} failed, {} unresolved).", reduction.nodes_after,
                                              base::counted(reduction.nodes_before, "node"),
                                              reduction.nodes_after == 1 ? "remains" : "remain",
                                              base::counted(counts.checks, "check"), counts.failing, counts.unresolved),
                        .seconds = reduction.seconds};
  if (counts.replayed > 0) {
    step.answer += fmt::format(" {} of an earlier run were reused.", base::counted(counts.replayed, "more verdict"));
  }
  report::PageTable table{.title = "Passes", .columns = {"Pass", "Checks", "Failing", "Nodes removed"}};
  for (const reduce::PassCounts& pass : reduction.passes) {
    table.rows.push_back({pass.pass, fmt::format("{}", pass.checks), fmt::format("{}", pass.failing),
                          fmt::format("{}", pass.nodes_removed)});
  }
  if (!table.rows.empty()) step.tables.push_back(std::move(table));
  return step;
}

report::PageStep minimal_step(const Reduction& reduction) {
  const bool proven = reduce::is_minimal(reduction) && !reduction.empty_fails;
  report::PageStep step{.question = "Can any of them be removed alone?",
                        .mark = proven ? Mark::good : Mark::unknown,
                        .answer = how_it_ended(reduction)};
  if (step.answer.empty()) step.answer = "That was not tried.";
  if (!reduction.untried.empty()) {
    report::PageTable table{.title = "Nodes that couldn't be removed alone", .columns = {"Node and reason"}};
    for (const std::string& node : reduction.untried) table.rows.push_back({node});
    step.tables.push_back(std::move(table));
  }
  return step;
}

report::PageStep confirm_step(const Reduction& reduction) {
  const auto runs = static_cast<int>(reduction.confirmation.size());
  const auto failed = static_cast<int>(std::ranges::count(reduction.confirmation, Kind::fails, &reduce::Verdict::kind));
  report::PageStep step{.question = "Does the result fail again?",
                        .mark = failed == runs ? Mark::good : Mark::unknown,
                        .answer = fmt::format("It failed in {} of {}", failed, base::counted(runs, "more run"))};
  if (runs > 1) {
    const reduce::Interval chance = reduce::failure_chance(failed, runs);
    step.answer +=
        fmt::format(" (its probability of failing is {:.0f} to {:.0f} %)", chance.low * 100, chance.high * 100);
  }
  step.answer += ".";
  return step;
}

report::PageTable other_table(const std::vector<reduce::OtherFailure>& others) {
  report::PageTable table{.title = "Other failures of candidates, which were set aside",
                          .columns = {"Failure", "Times", "Nodes of the smallest"}};
  for (const reduce::OtherFailure& other : others) {
    table.rows.push_back({reduce::describe_with_headline(other.signature), fmt::format("{}", other.times),
                          fmt::format("{}", other.nodes)});
  }
  return table;
}

// "y = Conv(x, w)  # conv_1", a line for each node.
std::string model_text(const model::Model& model) {
  std::string text;
  const report::NodeList list = report::list_nodes(model, kListedNodes);
  for (const report::ListedNode& listed : list.nodes) {
    const onnx::NodeProto& node = *listed.node;
    const std::vector<std::string> inputs(node.input().begin(), node.input().end());
    const std::vector<std::string> outputs(node.output().begin(), node.output().end());
    text += std::string(4UL * listed.depth, ' ');
    text += fmt::format("{} = {}({})", base::join(outputs, ", "), node.op_type(), base::join(inputs, ", "));
    text += node.name().empty() ? "\n" : fmt::format("  # {}\n", node.name());
  }
  if (!list.complete) text += fmt::format("{}\n", report::kMoreNodes);
  return text;
}

report::MinimalCase minimal_case(const ReductionFacts& facts) {
  report::MinimalCase result{
      .file = facts.file, .model_text = model_text(*facts.reduction.model), .commands = facts.commands};
  if (!facts.history.removals().rows.empty()) result.tables.push_back(facts.history.removals());
  return result;
}

}  // namespace

void ReductionHistory::add(const reduce::Progress& progress) {
  if (!progress.ended) return;
  const reduce::Progress::Ended& ended = *progress.ended;
  if (!ended.known) {
    checks_.push_back({.seconds = base::seconds_since(start_),
                       .nodes = ended.nodes,
                       .failed = ended.kind == Kind::fails,
                       .pass = std::string(progress.pass)});
  }
  if (ended.kind == Kind::fails) removals_.rows.clear();  // the next result is another model
  if (progress.pass != reduce::kVerify || ended.kind == Kind::fails) return;
  removals_.rows.push_back({std::string(ended.what), verdict_text(ended.kind, ended.text)});
}

std::string how_it_ended(const Reduction& reduction) {
  using StopReason = Reduction::StopReason;
  switch (reduction.stop_reason) {
    case StopReason::minimal:
      return std::string(claim(reduction));
    case StopReason::between_ends:
      return reduction.nodes_after == 1 ? "" : "The nodes between the two ends remain: --mode minimal may remove more.";
    case StopReason::skipped:
      return "The skipped passes might remove more nodes (--passes, --skip-passes).";
    case StopReason::few_nodes:
      return "Stopped by --until-nodes: a smaller model may fail, too.";
    case StopReason::checks:
      return "Stopped by --max-checks: a smaller model may fail, too.";
    case StopReason::unchanged:
      return "Nothing could be removed: the model fails only byte for byte as it is.";
    case StopReason::stopped:
      return "Stopped early: a smaller model may fail, too.";
  }
  return "";
}

report::Page reduction_page(const ReductionFacts& facts) {
  const Reduction& reduction = facts.reduction;
  report::Page page;
  page.mark = facts.stopped || reduction.error ? Mark::unknown : Mark::bad;
  page.verdict = verdict_on(facts);
  page.steps.push_back(failure_step(reduction));
  page.steps.push_back(search_step(reduction));
  if (!reduction.verbatim) page.steps.push_back(minimal_step(reduction));
  if (!reduction.confirmation.empty()) page.steps.push_back(confirm_step(reduction));
  if (!facts.others.empty()) page.tables.push_back(other_table(facts.others));
  page.checks = facts.history.checks();
  page.graph = graph_of(*reduction.model);
  page.graph.file = facts.file;
  add_weight_statistics(page.graph, *reduction.model);
  page.minimal_case = minimal_case(facts);
  return page;
}

}  // namespace assay::pages

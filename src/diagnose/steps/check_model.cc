// Is the model valid? ONNX's checker judges the model as a whole, and the rules of `check lint` each node by itself.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "diagnose/steps.h"
#include "lint/lint_model.h"
#include "model/inference/check.h"

namespace assay::diagnose {
namespace {

using report::Mark;

constexpr std::size_t kShownFindings = 50;
// In the checker's message:
constexpr const char* kUnknownOperator = "No Op registered";
constexpr const char* kNoShape = "Field 'shape' of 'type' is required";  // an output without a shape

// Without the full stop, since it becomes a part of a sentence.
std::string first_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  if (line.ends_with('.')) line.pop_back();
  return line;
}

// Returns the first defect, or else the warning that says which output has no shape, if the checker refuses the model
// for that reason; null if there is neither.
const lint::Finding* find_defect(const lint::Report& report, bool shape_is_missing) {
  const auto defect = std::ranges::find(report.findings, lint::Severity::exception, &lint::Finding::severity);
  if (defect != report.findings.end()) return &*defect;
  const auto warning = std::ranges::find_if(
      report.findings, [](const lint::Finding& finding) { return finding.message.ends_with("declares no shape"); });
  return shape_is_missing && warning != report.findings.end() ? &*warning : nullptr;
}

report::PageTable table_of(const lint::Report& report) {
  report::PageTable table{.title = "Findings", .columns = {"Severity", "Node", "Finding"}, .rows = {}};
  for (const lint::Finding& finding : report.findings) {
    if (table.rows.size() == kShownFindings) break;
    const std::string node = finding.nodes.empty() ? "" : report.nodes.at(finding.nodes.front()).title;
    table.rows.push_back({finding.severity == lint::Severity::exception ? "error" : "warning", node, finding.message});
  }
  return table;
}

}  // namespace

base::Expected<report::PageStep> check_model(const Case& task, Facts& facts, StepContext& context) {
  const base::Status official = model::check(task.model);
  ASSAY_ASSIGN(const lint::Report report, lint::lint_model(task.model, nullptr, context.log));
  const auto checker_says = [&](const char* words) {
    return !official && official.error().what.find(words) != std::string::npos;
  };
  const lint::Finding* const defect = find_defect(report, checker_says(kNoShape));
  const auto errors = static_cast<std::int64_t>(report.count(lint::Severity::exception));
  const auto warnings = static_cast<std::int64_t>(report.count(lint::Severity::warning));

  report::PageStep answer = make_answer(Mark::good, "yes");
  if (!official || defect != nullptr) {
    answer.mark = Mark::bad;
    facts.defect = first_line(defect != nullptr ? defect->message : official.error().what);
    // Neither an operator of an engine's own nor a missing shape is a defect if the engine runs the model.
    const bool engine_decides = checker_says(kUnknownOperator) || (checker_says(kNoShape) && errors == 0);
    facts.defect_is_official = !official && !engine_decides;
    if (engine_decides) answer.mark = Mark::note;
    if (defect != nullptr && !defect->nodes.empty()) {
      facts.defect_node = report.nodes.at(defect->nodes.front()).title;
    }
    const std::string node = facts.defect_node.empty() ? "" : facts.defect_node + ": ";
    answer.answer = fmt::format("no: {}{}", node, facts.defect);
    if (errors > 1) answer.answer += fmt::format(" (and {} more)", base::counted(errors - 1, "defect"));
  } else if (warnings > 0) {
    answer.answer = "yes, with " + base::counted(warnings, "warning");
  }
  if (!report.findings.empty()) answer.tables.push_back(table_of(report));
  return answer;
}

}  // namespace assay::diagnose

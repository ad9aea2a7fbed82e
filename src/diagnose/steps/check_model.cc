// Is the model valid? ONNX's checker judges the model as a whole, and the rules of `check lint` each node by itself.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "diagnose/steps.h"
#include "lint/lint_model.h"
#include "model/check.h"

namespace assay::diagnose {
namespace {

using report::Mark;

constexpr std::size_t kShownFindings = 50;
constexpr const char* kUnknownOperator = "No Op registered";  // in the checker's message

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
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
  const auto defect = std::ranges::find(report.findings, lint::Severity::exception, &lint::Finding::severity);
  const auto errors = static_cast<std::int64_t>(report.count(lint::Severity::exception));
  const auto warnings = static_cast<std::int64_t>(report.count(lint::Severity::warning));

  report::PageStep answer = make_answer(Mark::good, "yes");
  if (!official || defect != report.findings.end()) {
    answer.mark = Mark::bad;
    facts.defect = defect != report.findings.end() ? first_line(defect->message) : first_line(official.error().what);
    // An operator of an engine's own isn't a defect if the engine runs it.
    const bool is_extension = !official && official.error().what.find(kUnknownOperator) != std::string::npos;
    facts.defect_is_official = !official && !is_extension;
    if (is_extension) answer.mark = Mark::note;
    if (defect != report.findings.end() && !defect->nodes.empty()) {
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

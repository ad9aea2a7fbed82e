#include "lint/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/counted.h"
#include "base/strings.h"

namespace assay::lint {
namespace {

std::string_view result_text(CheckResult result) {
  constexpr std::array texts = {"passes", "fails", "unknown"};
  return texts.at(static_cast<std::size_t>(result));
}

std::string_view source_text(Source source) {
  constexpr std::array texts = {"file", "checker", "graph", "ONNX Runtime"};
  return texts.at(static_cast<std::size_t>(source));
}

bool is_rejected(const NodeResults& node) {
  return node.checker == CheckResult::fails || node.engine == CheckResult::fails;
}

std::string verdict_table(const Report& report) {
  std::size_t width = 4;
  for (const NodeResults& node : report.nodes) {
    if (is_rejected(node)) width = std::max(width, node.title.size());
  }
  std::string text = fmt::format("\n\n    {:<{}}  checker  ONNX Runtime", "node", width);
  for (const NodeResults& node : report.nodes) {
    if (!is_rejected(node)) continue;
    text +=
        fmt::format("\n    {:<{}}  {:<7}  {}", node.title, width, result_text(node.checker), result_text(node.engine));
  }
  return text;
}

// The place of a finding: its node, or the first of several.
std::string place_text(const Report& report, const Finding& finding) {
  if (finding.nodes.empty()) return "the model";
  const std::string& first = report.nodes[static_cast<std::size_t>(finding.nodes.front())].title;
  if (finding.nodes.size() == 1) return first;
  return fmt::format("{} and {} more", first, finding.nodes.size() - 1);
}

std::string findings_text(const Report& report, Severity severity) {
  if (report.count(severity) == 0) return "";
  std::string text = severity == Severity::exception ? "\n\n    errors:" : "\n\n    warnings:";
  for (const Finding& finding : report.findings) {
    if (finding.severity != severity) continue;
    text += fmt::format("\n      {}: {} ({})", place_text(report, finding),
                        base::replace_all(finding.message, "\n", "\n        "), source_text(finding.source));
  }
  return text;
}

}  // namespace

std::string to_text(const Report& report) {
  const auto rejected = static_cast<std::size_t>(std::ranges::count_if(report.nodes, is_rejected));
  std::string text = fmt::format("{}, {}; {} of {} rejected", base::counted(report.count(Severity::exception), "error"),
                                 base::counted(report.count(Severity::warning), "warning"), rejected,
                                 base::counted(report.nodes.size(), "node"));
  if (rejected > 0) text += verdict_table(report);
  return text + findings_text(report, Severity::exception) + findings_text(report, Severity::warning);
}

}  // namespace assay::lint

#include "lint/lint_model.h"

#include <algorithm>
#include <optional>
#include <string>

#include "lint/check_graph.h"
#include "lint/check_nodes.h"
#include "lint/run_nodes.h"
#include "model/check.h"

namespace assay::lint {
namespace {

// Returns the checker's message if it rejects the model although no finding explains why. The message names no place,
// because the checker stops at its first error.
std::optional<std::string> unexplained_rejection(const model::Model& model, const Report& report) {
  const auto fails = [](const NodeVerdicts& node) { return node.checker == Verdict::fails; };
  const auto is_checker = [](const Finding& finding) {
    return finding.source == Source::checker && finding.severity == Severity::exception;
  };
  if (std::ranges::any_of(report.nodes, fails) || std::ranges::any_of(report.findings, is_checker)) return std::nullopt;
  model::Model with_shapes = model;
  add_output_shapes(with_shapes.proto);
  const base::Status checked = model::check(with_shapes);
  if (checked) return std::nullopt;
  return checked.error().what;
}

}  // namespace

base::Expected<Report> lint_model(const model::Model& model, const Engine* engine, base::Log& log) {
  Report report = make_report(model);
  check_graph(model, report);
  check_nodes(model, report);
  const auto infos = check_types(model, report);
  if (const auto rest = unexplained_rejection(model, report)) {
    report.add(Severity::exception, Source::checker, *rest);
  }
  if (engine != nullptr && model.graph().node_size() > 0) {
    ASSAY_TRY(run_nodes(model, infos, *engine, log, report));
    report.apply_engine_verdicts();
  }
  std::ranges::stable_sort(report.findings, {}, [](const Finding& finding) {
    return finding.nodes.empty() ? model::kNone : finding.nodes.front();
  });
  return report;
}

}  // namespace assay::lint

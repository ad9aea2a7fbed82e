#include "lint/lint_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "base/strings.h"
#include "lint/check_declarations.h"
#include "lint/check_graph.h"
#include "lint/check_nodes.h"
#include "lint/run_nodes.h"
#include "model/external_data.h"
#include "model/inference/check.h"
#include "model/serialize.h"
#include "model/visit_tensors.h"

namespace assay::lint {
namespace {

// Returns the checker's message if it rejects the model although no finding explains why. The message names no place,
// because the checker stops at its first error.
std::optional<std::string> unexplained_rejection(const model::Model& model, const Report& report) {
  const auto fails = [](const NodeResults& node) { return node.checker == CheckResult::fails; };
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

// The standard allows a model without outputs, and ONNX Runtime loads it, but then refuses every run.
void check_outputs(const model::Model& model, bool has_engine, Report& report) {
  if (model.graph().node_size() == 0 || model.graph().output_size() > 0) return;
  if (has_engine) {
    report.add(Severity::exception, Source::engine, "The model has no outputs, so ONNX Runtime refuses to run it");
  } else {
    report.add(Severity::warning, Source::graph, "The model has no outputs, so most engines refuse to run it");
  }
}

// Assay itself reads such a file.
void check_file_size(const model::Model& model, Report& report) {
  std::error_code code;
  const std::uintmax_t bytes = std::filesystem::file_size(model.path, code);
  if (code || bytes <= model::kLargestFile) return;
  report.add(Severity::exception, Source::loader,
             fmt::format("The file has {}, but an ONNX file can hold at most 2 GiB, so no engine can read it. Save the "
                         "weights to a separate file with assay convert --save-external-data",
                         base::format_bytes(bytes)));
}

// Returns true if external data was left out when the model was loaded.
bool lacks_values(const model::Model& model) {
  bool lacks = false;
  if (model.weights_ignored) {
    model::visit_tensors(model.proto, [&](const onnx::TensorProto& tensor, model::TensorRole) {
      lacks |= model::is_external(tensor) && !model::was_inline(tensor);
    });
  }
  return lacks;
}

}  // namespace

base::Expected<Report> lint_model(const model::Model& model, const Engine* engine, base::Log& log) {
  if (engine != nullptr && lacks_values(model)) {
    log.warning("No engine checks the nodes, since it would need the external data, which wasn't loaded");
    engine = nullptr;
  }
  Report report = make_report(model);
  check_file_size(model, report);
  check_graph(model, report);
  check_declarations(model, report);
  check_outputs(model, engine != nullptr, report);
  check_nodes(model, report);
  const auto infos = check_types(model, report);
  if (const auto rest = unexplained_rejection(model, report)) {
    report.add(Severity::exception, Source::checker, *rest);
  }
  if (engine != nullptr && model.graph().node_size() > 0) {
    ASSAY_TRY(run_nodes(model, infos, *engine, log, report));
    report.apply_engine_results();
  }
  std::ranges::stable_sort(report.findings, {}, [](const Finding& finding) {
    return finding.nodes.empty() ? model::kNone : finding.nodes.front();
  });
  return report;
}

}  // namespace assay::lint

// `assay check lint`: finds all independent defects of a model.
#include <fmt/ostream.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/engine_table.h"
#include "base/files.h"
#include "base/strings.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/check_paths.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/options/output_file.h"
#include "cli/options/setting_option.h"
#include "cli/options/tool_engine_options.h"
#include "cli/steps/run_inputs.h"
#include "cli/steps/surgeon_setup.h"
#include "lint/lint_model.h"
#include "lint/report.h"
#include "lint/report_json.h"
#include "lint/report_text.h"

namespace assay::cli {
namespace {

// The settings of the engine that this command has: the worker's options for them.
constexpr std::string_view kSettings[] = {"providers", "graph_optimization_level"};

const backend::EngineRow& onnxruntime() {
  return *backend::find_engine_row("onnxruntime");
}

class CheckLint final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  base::Expected<lint::Report> lint(const model::Model& model, Context& context) const;

  ModelOptions model_;
  DataLoaderOptions loader_;
  ToolEngineOptions engine_;
  std::map<std::string_view, std::vector<std::string>> settings_;  // values of kSettings
  std::string output_;
  FormatOption format_;
};

}  // namespace

void CheckLint::add_options(CLI::App& app) {
  model_.add_to(app, {.model_type = false, .input_shapes = true, .float16 = true});
  add_output(app, output_, "Save the report to this file, as JSON in Polygraphy's form");
  format_.add_to(app);
  loader_.add_to(app, DataLoaderOptions::Runs::once);
  for (const std::string_view key : kSettings) {
    add_setting(app, onnxruntime(), backend::find_engine_setting(onnxruntime(), key), settings_[key]);
  }
  engine_.add_to(app);
}

base::Expected<lint::Report> CheckLint::lint(const model::Model& model, Context& context) const {
  base::Expected<worker::EngineSpec> spec = engine_.spec(context.installation);
  if (!spec && engine_.names_library()) return base::fail(spec.error());
  if (!spec) {
    context.log.warning("No engine checks the nodes: {}", spec.error().message());
    return lint::lint_model(model, nullptr, context.log);
  }
  for (const auto& [key, values] : settings_) {
    if (values.empty()) continue;
    const bool one_word = backend::find_engine_setting(onnxruntime(), key).is_one_word();
    spec->options[std::string(key)] = one_word ? values.back() : base::join(values, ",");
  }
  ASSAY_ASSIGN(auto shapes, shapes_of_inputs(model_, loader_));
  const lint::Engine engine{context.pool, *spec, engine_.limits(),
                            first_inputs(loader_, std::move(shapes), "--input-shapes", context)};
  return lint::lint_model(model, &engine, context.log);
}

base::Expected<int> CheckLint::run(Context& context) {
  ASSAY_TRY(loader_.check());
  ASSAY_TRY(model_.check());
  ASSAY_TRY(check_paths({{"-o", output_}}, files_read(model_, loader_)));
  ASSAY_TRY(check_writable(output_, "-o"));
  const base::Expected<model::Model> model = model_.load(context.log);
  lint::Report report;
  if (model) {
    ASSAY_ASSIGN(report, lint(*model, context));
  } else {
    report.add(lint::Severity::exception, lint::Source::loader, model.error().message());
  }
  if (!output_.empty()) {
    ASSAY_TRY(base::write_file(output_, lint::to_json(report) + "\n"));
    context.log.info("Saved the report to {}", output_);
  }
  // A file that can't be read is a finding, too.
  if (format_.json()) fmt::print(context.out, "{}\n", lint::to_json(report));
  if (!model) return base::fail(model.error());
  if (format_.json()) return report.passes() ? kExitPassed : kExitFailed;
  context.log.write(report.passes() ? base::Level::info : base::Level::error, lint::to_text(report));
  return report.passes() ? kExitPassed : kExitFailed;
}

std::unique_ptr<Command> make_check_lint() {
  return std::make_unique<CheckLint>();
}

}  // namespace assay::cli

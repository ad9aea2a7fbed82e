// `assay debug versions`: finds the first version of ONNX Runtime in which a model fails.
#include <fmt/ostream.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/engine_table.h"
#include "backend/find_engines.h"
#include "blame/judge_versions.h"
#include "blame/report.h"
#include "cli/checks/command_with_check.h"
#include "cli/checks/judge_engine.h"
#include "cli/commands/debug/judging_plan.h"
#include "cli/commands/make_commands.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/parse/given_words.h"
#include "data/check_runner_count.h"

namespace assay::cli {
namespace {

class DebugVersions final : public CommandWithCheck {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  [[nodiscard]] base::Expected<std::vector<std::filesystem::path>> libraries(Context& context) const;
  [[nodiscard]] base::Expected<run::EngineSetup> engine(const std::filesystem::path& library, Context& context) const;
  [[nodiscard]] base::Expected<std::optional<data::RunnerResults>> saved_results() const;
  int report(const blame::VersionFindings& found, Context& context) const;

  ModelOptions model_;
  EngineOptions engines_;
  DataLoaderOptions loader_;
  ComparisonOptions comparison_;
  CLI::App* app_ = nullptr;
  std::vector<std::string> libraries_;
  std::string load_outputs_;
  FormatOption format_;
};

using base::ErrorKind;
using base::fail;

constexpr std::string_view kKind = "onnxruntime";

}  // namespace

void DebugVersions::add_options(CLI::App& app) {
  app_ = &app;
  model_.add_to(app, {.input_shapes = true});
  app.add_option("--onnxrt-libs", libraries_,
                 "Run these ONNX Runtime libraries: files, or folders that contain one, in any order")
      ->option_text("PATH")
      ->expected(1, -1)
      ->required();
  app.add_option("--load-outputs,--load-results", load_outputs_,
                 "Compare with these results, saved by --save-outputs (default: with the oldest version that runs)")
      ->option_text("FILE")
      ->group(ComparisonOptions::kGroup);
  format_.add_to(app);
  engines_.add_to(app);
  loader_.add_to(app);
  comparison_.add_to(app);
  check_.add_to(app);
}

base::Expected<std::vector<std::filesystem::path>> DebugVersions::libraries(Context& context) const {
  std::vector<std::filesystem::path> libraries;
  for (const std::string& named : libraries_) {
    backend::EngineSearch search = context.installation.engines;
    search.libraries[std::string(kKind)].option = named;
    auto found = backend::find_onnxruntime(search);
    if (!found) {
      found.error().where = "--onnxrt-libs";
      return tl::make_unexpected(std::move(found).error());
    }
    libraries.push_back(found->library);
  }
  return libraries;
}

// --onnxrt is only needed for its settings.
base::Expected<run::EngineSetup> DebugVersions::engine(const std::filesystem::path& library, Context& context) const {
  ASSAY_ASSIGN(std::vector<run::EngineSetup> engines, engines_.setups(context.installation));
  if (engines.empty()) {
    ASSAY_TRY(engines_.check_unused());
    return engine_setup(*backend::find_engine_row(kKind), library);
  }
  if (engines.size() > 1 || engines.front().spec.kind != kKind) {
    return fail(ErrorKind::invalid_input, "the libraries are ONNX Runtime's, and take the settings of one --onnxrt",
                engines.back().engine, "Give --onnxrt once, or no engine");
  }
  return std::move(engines.front());
}

base::Expected<std::optional<data::RunnerResults>> DebugVersions::saved_results() const {
  if (load_outputs_.empty()) return std::nullopt;
  ASSAY_ASSIGN(data::RunResults results, data::load_run_results(load_outputs_));
  ASSAY_TRY(data::check_one_runner(results.runners.size(), load_outputs_));
  return std::move(results.runners.front());
}

base::Expected<int> DebugVersions::run(Context& context) {
  ASSAY_TRY(model_.check_runnable());
  ASSAY_TRY(check_judge_options(check_, *app_));
  ASSAY_ASSIGN(const auto libraries, this->libraries(context));
  ASSAY_ASSIGN(const run::EngineSetup engine, this->engine(libraries.front(), context));
  ASSAY_ASSIGN(const auto saved, saved_results());
  ASSAY_ASSIGN(const worker::ModelSource model, model_.source());
  if (check_.has_command()) {
    if (!given_words(*app_, {"Runners"}).empty()) {
      return fail(ErrorKind::invalid_input, "the check runs the engine, so settings here would have no effect",
                  "--onnxrt", "Give them to the check's command");
    }
    ASSAY_ASSIGN(
        const blame::VersionFindings found,
        blame::judge_versions(engine, libraries, model, judge_libraries(check_, context), context.pool, context.log));
    return report(found, context);
  }
  ASSAY_ASSIGN(run::RunPlan plan, judging_plan(model_, loader_, comparison_, context));
  ASSAY_ASSIGN(const blame::VersionFindings found,
               blame::judge_versions(engine, libraries, model, saved,
                                     {std::move(plan), context.pool, context.log, context.stop}));
  return report(found, context);
}

int DebugVersions::report(const blame::VersionFindings& found, Context& context) const {
  if (format_.json()) {
    fmt::print(context.out, "{}\n", blame::to_json(found));
  } else {
    context.log.log(found.first_fails ? base::Level::error : base::Level::info, "{}", blame::to_text(found));
  }
  return found.first_fails ? kExitFailed : kExitPassed;
}

std::unique_ptr<Command> make_debug_versions() {
  return std::make_unique<DebugVersions>();
}

}  // namespace assay::cli

// `assay debug optimizers`: finds the optimisation or the property of an engine that changes a model's outputs.
#include <fmt/ostream.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/shell_text.h"
#include "base/strings.h"
#include "blame/onnxruntime_probe.h"
#include "blame/output_judge.h"
#include "blame/report.h"
#include "cli/checks/command_with_check.h"
#include "cli/checks/judge_engine.h"
#include "cli/commands/debug/judging_plan.h"
#include "cli/commands/make_commands.h"
#include "cli/options/check_paths.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/options/refused_options.h"
#include "cli/parse/given_words.h"
#include "cli/steps/explain_load_error.h"
#include "run/engine_words.h"
#include "run/run_and_compare.h"

namespace assay::cli {
namespace {

class DebugOptimizers final : public CommandWithCheck {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  [[nodiscard]] base::Expected<run::EngineSetup> engine(Context& context) const;
  // Returns a judge of the engine's settings, which compares outputs with those of `reference` or runs the check; the
  // check has to pass with the reference.
  base::Expected<blame::EngineJudge> judge(const run::EngineSetup& reference, const worker::ModelSource& model,
                                           Context& context) const;
  base::Expected<int> find_optimizers(const run::EngineSetup& engine, const worker::ModelSource& model,
                                      Context& context) const;
  base::Expected<int> find_properties(const run::EngineSetup& engine, const worker::ModelSource& model,
                                      Context& context) const;
  // Returns the words of this command that select the engine, with its settings, and then `settings`.
  [[nodiscard]] std::vector<std::string> engine_and(const std::vector<std::string>& settings) const;
  // Prints the findings and returns the exit status. `engine`: words that select the engine for a further run, with
  // settings that avoid what was found; empty if nothing was found.
  template <class Findings>
  int report(const Findings& found, bool differs, const std::vector<std::string>& engine, Context& context) const;

  ModelOptions model_;
  EngineOptions engines_;
  DataLoaderOptions loader_;
  ComparisonOptions comparison_;
  RefusedOptions refused_;
  std::filesystem::path artifact_ = "polygraphy_debug.onnx";
  CLI::App* app_ = nullptr;
  FormatOption format_;
};

using base::ErrorKind;
using base::fail;

constexpr std::string_view kOnnxRuntime = "onnxruntime";
constexpr std::string_view kOpenVino = "openvino";
constexpr const char* kLevel = "graph_optimization_level";

}  // namespace

void DebugOptimizers::add_options(CLI::App& app) {
  app_ = &app;
  model_.add_to(app, {.input_shapes = true});
  format_.add_to(app);
  engines_.add_to(app);
  loader_.add_to(app, DataLoaderOptions::Runs::at_least_once);
  comparison_.add_to(app);
  check_.add_to(app);
  app.add_option("--iter-artifact,--intermediate-artifact", artifact_,
                 "Save what the engine builds to this file for the check: ONNX Runtime's optimised model, or "
                 "OpenVINO's blob")
      ->option_text("FILE")
      ->capture_default_str()
      ->group("Pass/Fail Reporting");
  refused_.add_engines_to(app);
}

base::Expected<run::EngineSetup> DebugOptimizers::engine(Context& context) const {
  ASSAY_ASSIGN(std::vector<run::EngineSetup> engines, engines_.setups(context.installation));
  const std::string fix = "Give one engine, --onnxrt or --openvino";
  if (engines.size() != 1) {
    return fail(ErrorKind::invalid_input,
                fmt::format("{} engines are given, but one engine is compared with itself", engines.size()), {}, fix);
  }
  if (engines.front().spec.kind != kOnnxRuntime && engines.front().spec.kind != kOpenVino) {
    return fail(ErrorKind::unsupported, "this engine has no optimisations that can be disabled", engines.front().engine,
                fix);
  }
  return std::move(engines.front());
}

base::Expected<int> DebugOptimizers::run(Context& context) {
  ASSAY_TRY(refused_.check());
  ASSAY_TRY(model_.check_runnable());
  ASSAY_TRY(check_judge_options(check_, *app_));
  ASSAY_ASSIGN(const run::EngineSetup engine, this->engine(context));
  ASSAY_ASSIGN(const worker::ModelSource model, model_.source());
  auto found = engine.spec.kind == kOnnxRuntime ? find_optimizers(engine, model, context)
                                                : find_properties(engine, model, context);
  if (!found) return fail(explain_load_error(found.error(), model));
  return found;
}

base::Expected<blame::EngineJudge> DebugOptimizers::judge(const run::EngineSetup& reference,
                                                          const worker::ModelSource& model, Context& context) const {
  if (check_.has_command()) {
    ASSAY_TRY(check_paths({{"--iter-artifact", artifact_.string()}}, {{"the model", model_.file()}}));
    ASSAY_ASSIGN(const blame::EngineJudge judge, judge_built_engines(check_, artifact_, context));
    ASSAY_ASSIGN(const blame::Agreement judged, judge(reference, model));
    if (judged.agrees) return judge;
    return fail(ErrorKind::invalid_input, "the check fails without optimisations, too: " + judged.text, "--check",
                "Find out first why the model fails, e.g. with debug reduce");
  }
  ASSAY_ASSIGN(run::RunPlan plan, judging_plan(model_, loader_, comparison_, context));
  ASSAY_ASSIGN(blame::OutputJudge made,
               blame::OutputJudge::make(reference, model, {std::move(plan), context.pool, context.log, context.stop}));
  const auto outputs = std::make_shared<const blame::OutputJudge>(std::move(made));
  return std::bind_front(&blame::OutputJudge::judge, outputs);
}

base::Expected<int> DebugOptimizers::find_optimizers(const run::EngineSetup& engine, const worker::ModelSource& model,
                                                     Context& context) const {
  const auto given = engine.spec.options.find(kLevel);
  const std::string last = given == engine.spec.options.end() ? std::string() : given->second;
  if (base::to_lower(last) == base::to_lower(blame::kReferenceLevel)) {
    return fail(ErrorKind::invalid_input, "the reference is the run at this level, so there is nothing to compare",
                "--graph-optimization-level", "Leave it out, or give a higher level");
  }
  const run::EngineSetup reference =
      blame::OnnxRuntimeProbe::with(engine, {.level = blame::kReferenceLevel, .disabled = {}});
  ASSAY_ASSIGN(const blame::EngineJudge judge, this->judge(reference, model, context));
  context.log.info("{}: the reference", blame::kReferenceLevel);
  ASSAY_ASSIGN(auto probe, blame::OnnxRuntimeProbe::make(engine, model, judge, context.pool));
  ASSAY_ASSIGN(const blame::OptimizerFindings found,
               blame::find_optimizers(blame::optimization_levels(last), probe, context.log));
  std::vector<std::string> words;
  if (!found.guilty.empty() && blame::OnnxRuntimeProbe::disables_some(engine)) {
    // A further --session-config would replace the optimizers that the user has disabled.
    words = run::engine_words(blame::OnnxRuntimeProbe::without(engine, found.guilty),
                              run::usual_libraries(context.installation.engines));
  } else if (!found.guilty.empty()) {
    words = engine_and(
        {"--session-config", fmt::format("{}={}", blame::OnnxRuntimeProbe::kDisable, base::join(found.guilty, ";"))});
  }
  return report(found, !found.level.empty(), words, context);
}

base::Expected<int> DebugOptimizers::find_properties(const run::EngineSetup& engine, const worker::ModelSource& model,
                                                     Context& context) const {
  ASSAY_ASSIGN(const auto properties, blame::known_properties(engine, context.pool, context.log));
  if (properties.empty()) {
    return fail(ErrorKind::invalid_input, "all properties that could make a difference are given", "--openvino-config",
                "Leave out the properties that the search should try");
  }
  const run::EngineSetup reference = blame::with_properties(engine, properties);
  ASSAY_ASSIGN(const blame::EngineJudge judge, this->judge(reference, model, context));
  ASSAY_ASSIGN(const blame::PropertyFindings found,
               blame::find_properties(engine, model, properties, judge, context.log));
  std::vector<std::string> words;
  if (!found.guilty.empty()) words = engine_and({"--openvino-config"});
  for (const blame::CarefulProperty& property : found.guilty) {
    words.push_back(fmt::format("{}={}", property.key, property.value));
  }
  return report(found, !found.as_it_is.agrees, words, context);
}

std::vector<std::string> DebugOptimizers::engine_and(const std::vector<std::string>& settings) const {
  std::vector<std::string> words = given_words(*app_, {"Runners", "ONNX Runtime", "OpenVINO"});
  words.insert(words.end(), settings.begin(), settings.end());
  return words;
}

template <class Findings>
int DebugOptimizers::report(const Findings& found, bool differs, const std::vector<std::string>& engine,
                            Context& context) const {
  std::string next;
  if (!engine.empty()) {
    std::vector<std::string> words = {"assay", "run", model_.file()};
    words.insert(words.end(), engine.begin(), engine.end());
    const auto given = given_words(*app_, {"Limits", "Data Loader"});
    words.insert(words.end(), given.begin(), given.end());
    if (const std::vector<std::string> shapes = app_->get_option("--input-shapes")->results(); !shapes.empty()) {
      words.emplace_back("--input-shapes");
      words.insert(words.end(), shapes.begin(), shapes.end());
    }
    next = base::shell_text(words);
  }
  if (format_.json()) {
    fmt::print(context.out, "{}\n", blame::to_json(found, next));
  } else {
    context.log.log(differs ? base::Level::error : base::Level::info, "{}", blame::to_text(found, next));
  }
  return differs ? kExitFailed : kExitPassed;
}

std::unique_ptr<Command> make_debug_optimizers() {
  return std::make_unique<DebugOptimizers>();
}

}  // namespace assay::cli

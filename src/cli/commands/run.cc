// `assay run`: runs a model in engines, and compares their outputs with each other and with saved results.
//
// The model runs in one of three ways: unchanged, by its path; with marked outputs, in windows that fit the memory
// budget; or not at all, when saved results are compared with each other. Options and files are checked, and workers
// started, before the model is read.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/commands/make_commands.h"
#include "cli/commands/run/compared_views.h"
#include "cli/commands/run/model_to_run.h"
#include "cli/commands/run/run_options.h"
#include "cli/commands/run/run_savers.h"
#include "cli/context/error_json.h"
#include "cli/steps/calibration_data.h"
#include "cli/steps/default_values.h"
#include "cli/steps/explain_load_error.h"
#include "cli/steps/fit_profiles.h"
#include "cli/steps/perceptual_metric.h"
#include "cli/steps/run_inputs.h"
#include "data/check_runner_count.h"
#include "data/first_inputs.h"
#include "run/engine_files.h"
#include "run/make_windows.h"
#include "run/run_and_compare.h"
#include "run/run_windows.h"
#include "run/saved_runner.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;

class Run final : public Command {
 public:
  void add_options(CLI::App& app) override { options_.add_to(app); }
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return options_.layers.prints_json(); }
  [[nodiscard]] bool prints_script() const override { return options_.script.prints(); }

 private:
  [[nodiscard]] base::Expected<run::RunPlan> make_plan() const;
  // Runs the engines, and compares them with each other and with saved results. Returns the exit status.
  base::Expected<int> run_setups(std::vector<run::EngineSetup> setups, run::RunPlan plan, Context& context) const;
  // Compares saved results with each other. Returns the exit status.
  base::Expected<int> run_saved(const run::RunPlan& plan, Context& context) const;
  // Returns the exit status of --refused-code if it was given and an engine failed, otherwise the explained error.
  base::Expected<int> end_with_error(base::Error error, const worker::ModelSource& source,
                                     const std::vector<run::EngineSetup>& setups, Context& context) const;
  base::Expected<LayerOptions::Outcome> run_windows(const std::vector<run::StoredResults>& saved,
                                                    const ModelToRun& subject, const run::RunPlan& plan,
                                                    Context& context) const;
  // Runs the model as a whole, as opposed to windows.
  base::Expected<LayerOptions::Outcome> run_whole(const std::vector<run::EngineSetup>& setups,
                                                  const std::vector<run::StoredResults>& saved,
                                                  const worker::ModelSource& source, run::RunPlan plan,
                                                  Context& context) const;
  // Both return whether everything passed, and show the table of layers, after all files are complete: what is printed
  // for programs is either the results or an error.
  base::Expected<bool> run_engines(const std::vector<run::EngineSetup>& setups,
                                   const std::vector<run::StoredResults>& saved, ModelToRun& subject, run::RunPlan plan,
                                   RunSavers& savers, Context& context) const;
  base::Expected<bool> compare_saved(const std::vector<run::StoredResults>& saved, run::RunPlan plan,
                                     Context& context) const;

  RunOptions options_;
};

base::Expected<std::vector<run::StoredResults>> open_results(const std::vector<std::string>& paths, base::Log& log) {
  std::vector<run::StoredResults> saved;
  for (const std::string& path : paths) {
    log.info("Loading results from {}", path);
    ASSAY_ASSIGN(const auto reader, data::ResultsReader::open(path));
    ASSAY_TRY(data::check_any_runner(reader->runner_count(), path));
    for (std::size_t i = 0; i < reader->runner_count(); ++i) saved.push_back({reader, i});
  }
  return saved;
}

// Engines start while the model and the inputs are read, the slower ones first.
void start_engines(const std::vector<run::EngineSetup>& setups, worker::Pool& pool) {
  pool.keep_warm(setups.size());
  for (const bool quick : {false, true}) {
    for (const run::EngineSetup& setup : setups) {
      if (backend::find_engine_row(setup.spec.kind)->starts_quickly == quick) pool.prepare(setup.spec);
    }
  }
}

}  // namespace

base::Expected<run::RunPlan> Run::make_plan() const {
  run::RunPlan plan;
  ASSAY_ASSIGN(plan.compare, options_.comparison.plan());
  ASSAY_ASSIGN(plan.postprocess, options_.comparison.postprocess());
  plan.validate = options_.validate;
  plan.sequential = options_.sequential;
  plan.warm_up = options_.warm_up;
  return plan;
}

base::Expected<LayerOptions::Outcome> Run::run_windows(const std::vector<run::StoredResults>& saved,
                                                       const ModelToRun& subject, const run::RunPlan& plan,
                                                       Context& context) const {
  run::LayerRun run{*subject.model, subject.engines, saved, options_.memory_budget.bytes()};
  if (std::ranges::any_of(run.engines, &run::LayerEngine::needs_whole_model)) {
    run.whole = std::make_shared<const worker::ModelSource>(subject.source);
  }
  ASSAY_ASSIGN(const run::Windows windows, run::make_windows(run, plan, context.pool, context.log));
  ASSAY_ASSIGN(auto found, run::run_windows(windows, plan, context.log, context.stop));
  return LayerOptions::Outcome{found.passed && found.without.empty(), found.windows, std::move(found.without)};
}

base::Expected<LayerOptions::Outcome> Run::run_whole(const std::vector<run::EngineSetup>& setups,
                                                     const std::vector<run::StoredResults>& saved,
                                                     const worker::ModelSource& source, run::RunPlan plan,
                                                     Context& context) const {
  std::vector<std::unique_ptr<run::Runner>> runners;
  for (const run::EngineSetup& setup : setups) {
    runners.push_back(std::make_unique<run::EngineRunner>(setup, source, context.pool));
  }
  for (const run::StoredResults& results : saved) {
    runners.push_back(std::make_unique<run::StoredRunner>(results.reader, results.runner));
  }
  LayerOptions::Outcome outcome;
  plan.take_timings = [&outcome](const std::string& runner, const run::TimingSummary& timings) {
    outcome.timings.emplace_back(runner, timings);
  };
  ASSAY_ASSIGN(outcome.passed, run::run_and_compare(runners, plan, context.log, context.stop));
  return outcome;
}

// How the comparisons failed.
struct Failures {
  bool by_specials = false;  // by NaN or infinity on both sides, in which `debug locate` sees no difference
  bool by_numbers = false;
};

// Makes the plan note failures. `failures` must outlive the run.
void watch_failures(run::RunPlan& plan, Failures& failures) {
  plan.watch = [&failures, watch = std::move(plan.watch)](std::size_t pair, const auto& first, const auto& second,
                                                          const compare::IterationJudgement& judgement) {
    if (!judgement.passed) (judgement.only_specials() ? failures.by_specials : failures.by_numbers) = true;
    if (watch) watch(pair, first, second, judgement);
  };
}

base::Expected<bool> Run::run_engines(const std::vector<run::EngineSetup>& setups,
                                      const std::vector<run::StoredResults>& saved, ModelToRun& subject,
                                      run::RunPlan plan, RunSavers& savers, Context& context) const {
  ASSAY_TRY(plan_windows(subject, options_.model, setups, context));
  ComparedViews views(options_.layers, options_.report, subject.in_windows(), plan);
  Failures failures;
  watch_failures(plan, failures);
  ASSAY_ASSIGN(const LayerOptions::Outcome outcome, subject.in_windows()
                                                        ? run_windows(saved, subject, plan, context)
                                                        : run_whole(setups, saved, subject.source, plan, context));
  ASSAY_TRY(savers.finish_inputs(context.log));
  ASSAY_TRY(savers.finish_outputs(context.log));
  for (const run::EngineSetup& setup : setups) {
    for (const auto& [what, path] : run::engine_files(setup)) context.log.info("Saved {} to {}", what, path);
  }
  const std::string next =
      context.in_check ? ""
                       : "`assay debug locate " + options_.model.file() +
                             "` with the same engines and inputs finds the node and saves it as a model of its own";
  std::optional<model::Model> unchanged;  // loaded only for the names of nodes
  if (!subject.model && views.wants_model()) {
    if (auto loaded = options_.model.load(context.log)) unchanged = *std::move(loaded);
  }
  const std::optional<model::Model>& model = subject.model ? subject.model : unchanged;
  ASSAY_TRY(views.show({model ? &*model : nullptr, options_.model.file(), setups, outcome, next}, context));
  // In windows, the table of layers ends with it.
  const bool compares = setups.size() + saved.size() > 1 && !subject.in_windows();
  const bool only_specials = failures.by_specials && !failures.by_numbers;
  if (compares && !outcome.passed && !only_specials && !next.empty()) context.log.info("Next: {}", next);
  return outcome.passed;
}

base::Expected<bool> Run::compare_saved(const std::vector<run::StoredResults>& saved, run::RunPlan plan,
                                        Context& context) const {
  ComparedViews views(options_.layers, options_.report, false, plan);
  std::optional<model::Model> model;  // gives the order of layers, if named
  if (views.wants_model() && !options_.model.file().empty()) {
    ASSAY_ASSIGN(model, options_.model.load(context.log));
  }
  ASSAY_ASSIGN(const run::Windows windows, run::make_windows(saved, options_.memory_budget.bytes(), context.log));
  ASSAY_ASSIGN(const auto found, run::run_windows(windows, plan, context.log, context.stop));
  const LayerOptions::Outcome outcome{found.passed, found.windows, {}};
  const std::string& file = options_.model.file().empty() ? options_.load_outputs.front() : options_.model.file();
  ASSAY_TRY(views.show({model ? &*model : nullptr, file, {}, outcome}, context));
  return outcome.passed;
}

base::Expected<int> Run::run_saved(const run::RunPlan& plan, Context& context) const {
  ASSAY_TRY(options_.loader.check());
  options_.loader.warn_of_unused(": no engine runs", context.log);
  options_.marks.warn_of_unused(": no engine runs", context.log);
  options_.warn_of_engine_options(context.log);
  ASSAY_ASSIGN(const auto saved, open_results(options_.load_outputs, context.log));
  if (saved.empty()) {
    context.log.warning(
        "No engine is given, so nothing was run. Add an engine, e.g. --onnxrt, or results to compare, --load-outputs");
    return kExitPassed;
  }
  if (saved.size() == 1 && !plan.validate) {
    context.log.warning(
        "Only one run's results are given, so nothing is compared. Add an engine, e.g. --onnxrt, or further results");
  }
  ASSAY_ASSIGN(const bool passed, compare_saved(saved, plan, context));
  return passed ? kExitPassed : kExitFailed;
}

base::Expected<int> Run::run_setups(std::vector<run::EngineSetup> setups, run::RunPlan plan, Context& context) const {
  ASSAY_ASSIGN(const auto shapes, shapes_of_inputs(options_.model, options_.loader));
  ASSAY_ASSIGN(const auto inputs, options_.loader.source(shapes, context, context.log));
  data::FirstInputs first(*inputs);
  ASSAY_TRY(fit_profiles(setups, options_.model, options_.loader, first, context));
  warn_of_default_values(options_.model, options_.loader, first, context.log);
  base::SilentLog silent;  // the source of the run's inputs says the same again
  ASSAY_ASSIGN(const auto calibration_data,
               save_calibration_data(setups, options_.model, options_.loader, shapes, silent, context));
  start_engines(setups, context.pool);
  ASSAY_ASSIGN(const auto saved, open_results(options_.load_outputs, context.log));
  if (setups.size() + saved.size() == 1) options_.warn_of_uncompared(context.log);
  ASSAY_ASSIGN(ModelToRun subject, model_to_run(options_, setups, context.log));
  plan.inputs = std::bind_front(&data::FirstInputs::get, &first);
  plan.ends_before = [&](std::int64_t index) { return inputs->ends_before(index); };
  RunSavers savers;
  ASSAY_TRY(savers.open(options_.save_inputs, options_.save_outputs));
  savers.connect(plan, options_.input_blobs());

  base::Expected<bool> passed = run_engines(setups, saved, subject, std::move(plan), savers, context);
  if (passed) return *passed ? kExitPassed : kExitFailed;
  // Keep the inputs on which an engine failed: the user needs them to reproduce the failure.
  const bool is_engine_error = passed.error().kind == ErrorKind::engine;
  if (is_engine_error && savers.any_inputs()) {
    if (const base::Status saved_inputs = savers.finish_inputs(context.log); !saved_inputs) {
      context.log.error("{}", saved_inputs.error().message());
    }
  }
  return end_with_error(std::move(passed).error(), subject.source, setups, context);
}

base::Expected<int> Run::end_with_error(base::Error error, const worker::ModelSource& source,
                                        const std::vector<run::EngineSetup>& setups, Context& context) const {
  const bool is_engine_error = error.kind == ErrorKind::engine;
  if (!options_.model.is_engine() && !options_.model.is_network_script()) error = explain_load_error(error, source);
  if (error.kind == ErrorKind::engine && error.fix.empty() && !context.in_check) {
    error.fix = "`assay diagnose` with the same model, engines and inputs looks for the cause";
  }
  if (is_engine_error) error = options_.report.write_failure(std::move(error), options_.model.file(), setups, context);
  if (options_.refused_code == 0 || error.kind != ErrorKind::engine) return fail(std::move(error));
  context.log.error("{}", error.message());
  if (options_.layers.prints_json()) context.out << error_json(error) << std::flush;  // as for errors that are returned
  return options_.refused_code;
}

base::Expected<int> Run::run(Context& context) {
  ASSAY_TRY(options_.refused.check());
  ASSAY_ASSIGN(auto setups, options_.engine_setups(context.installation));
  if (options_.script.given()) {
    ASSAY_TRY(options_.model.check_runnable());
    ASSAY_TRY(options_.script.write(
        {options_.engines, setups, options_.model, options_.loader, options_.comparison, options_.validate}, context));
    return kExitPassed;
  }
  ASSAY_TRY(options_.check(setups));
  ASSAY_TRY(options_.check_files());
  options_.saving.warn_if_not_saved(options_.save_onnx, "--save-onnx", context.log);
  ASSAY_ASSIGN(run::RunPlan plan, make_plan());
  if (!options_.results.compares_by_script()) {
    options_.comparison.warn_of_unused(plan.compare, context.log);
    ASSAY_TRY(load_perceptual_metric(plan.compare, context));
  }
  ASSAY_TRY(options_.results.apply(plan, context));
  ASSAY_TRY(options_.model.input_shapes());
  return setups.empty() ? run_saved(plan, context) : run_setups(std::move(setups), std::move(plan), context);
}

std::unique_ptr<Command> make_run() {
  return std::make_unique<Run>();
}

}  // namespace assay::cli

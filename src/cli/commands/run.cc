// `assay run`: runs a model in engines, and compares their outputs with each other and with saved results.
//
// The model runs in one of three ways: unchanged, by its path; with marked outputs, in windows that fit the memory
// budget; or not at all, when saved results are compared with each other. Options and files are checked, and workers
// started, before the model is read.
#include "cli/commands/run.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/calibration_data.h"
#include "cli/check_paths.h"
#include "cli/checks/check_runner.h"
#include "cli/commands/make_commands.h"
#include "cli/commands/run/compared_views.h"
#include "cli/commands/run/gen_script_option.h"
#include "cli/commands/run/layer_options.h"
#include "cli/commands/run/run_savers.h"
#include "cli/default_values.h"
#include "cli/error_json.h"
#include "cli/explain_load_error.h"
#include "cli/loaded_shapes.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/logging_options.h"
#include "cli/options/memory_budget_option.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/output_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/report_option.h"
#include "cli/options/result_options.h"
#include "cli/options/validators.h"
#include "cli/parse/arguments.h"
#include "cli/run_inputs.h"
#include "data/check_runner_count.h"
#include "data/first_inputs.h"
#include "edit/mark_outputs.h"
#include "run/engine_files.h"
#include "run/make_windows.h"
#include "run/marked_source.h"
#include "run/run_and_compare.h"
#include "run/run_windows.h"
#include "run/saved_runner.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;

class Run final : public Command {
 public:
  // See settings_of_run(). `words`: those after `assay run`. Errors: those of the options.
  static base::Expected<RunSettings> settings(const std::vector<std::string>& words, Context& context);

  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return layers_.prints_json(); }
  [[nodiscard]] bool prints_script() const override { return script_.prints(); }

 private:
  void add_run_options(CLI::App& app);
  // Returns the engines. TensorRT's get the facts about the model that they need.
  [[nodiscard]] base::Expected<std::vector<run::EngineSetup>> engine_setups(const Installation& installation) const;
  [[nodiscard]] base::Status check(const std::vector<run::EngineSetup>& engines) const;
  // Checks that no option changes or saves a model that isn't an ONNX model.
  [[nodiscard]] base::Status check_unchanged() const;
  [[nodiscard]] base::Status check_files() const;
  // The model that engines run.
  struct Subject {
    worker::ModelSource source;             // empty if the model runs in windows and no engine needs all of it
    std::optional<model::Model> model;      // if the options change it, or it runs in windows
    std::vector<std::string> outputs;       // to be marked in it
    std::vector<run::LayerEngine> engines;  // that run it in windows; empty without windows
    [[nodiscard]] bool in_windows() const { return !engines.empty(); }
  };
  [[nodiscard]] base::Expected<Subject> prepare_model(const std::vector<run::EngineSetup>& setups,
                                                      base::Log& log) const;
  // Decides whether the model runs in windows: if several tensors are marked, in the model or by settings of TensorRT.
  base::Status plan_windows(const std::vector<run::EngineSetup>& setups, Subject& subject, Context& context) const;
  [[nodiscard]] base::Expected<run::RunPlan> make_plan() const;
  // Runs the engines, and compares them with each other and with saved results. Returns the exit status.
  base::Expected<int> run_setups(std::vector<run::EngineSetup> setups, run::RunPlan plan, Context& context) const;
  // Compares saved results with each other. Returns the exit status.
  base::Expected<int> run_saved(const run::RunPlan& plan, Context& context) const;
  // Returns the exit status of --refused-code if it was given and an engine failed, otherwise the explained error.
  base::Expected<int> end_with_error(base::Error error, const worker::ModelSource& source,
                                     const std::vector<run::EngineSetup>& setups, Context& context) const;
  base::Expected<LayerOptions::Outcome> run_windows(const std::vector<run::StoredResults>& saved,
                                                    const Subject& subject, const run::RunPlan& plan,
                                                    Context& context) const;
  // Runs the model as a whole, as opposed to windows.
  base::Expected<LayerOptions::Outcome> run_whole(const std::vector<run::EngineSetup>& setups,
                                                  const std::vector<run::StoredResults>& saved,
                                                  const worker::ModelSource& source, run::RunPlan plan,
                                                  Context& context) const;
  // Both return whether everything passed, and show the table of layers, after all files are complete: what is printed
  // for programs is either the results or an error.
  base::Expected<bool> run_engines(const std::vector<run::EngineSetup>& setups,
                                   const std::vector<run::StoredResults>& saved, Subject& subject, run::RunPlan plan,
                                   RunSavers& savers, Context& context) const;
  base::Expected<bool> compare_saved(const std::vector<run::StoredResults>& saved, run::RunPlan plan,
                                     Context& context) const;
  ModelOptions model_;
  ModelSaveOptions saving_;
  OutputOptions marks_;
  EngineOptions engines_;
  DataLoaderOptions loader_;
  ComparisonOptions comparison_;
  ResultOptions results_;
  LayerOptions layers_;
  ReportOption report_{"run"};
  RefusedOptions refused_;
  GenScriptOption script_;
  std::string save_onnx_;
  bool validate_ = false;
  int refused_code_ = 0;  // 0: not given
  bool sequential_ = false;
  std::vector<std::string> load_outputs_;
  int warm_up_ = 0;
  bool use_subprocess_ = false;
  std::string save_inputs_;
  CLI::Option* save_input_blob_ = nullptr;  // owned by the App, which outlives the command's run
  std::string input_blob_folder_;           // empty if the option was given without a value
  std::string save_outputs_;
  MemoryBudgetOption memory_budget_;
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

// Returns whether outputs have to be equal in shape, and are then judged element by element.
bool judges_elements_only(const compare::ComparePlan& plan) {
  const auto stats = plan.options.by_output(compare::kErrorStat);
  const auto judges_elements = [&](const compare::CompareFunction* function) {
    return std::ranges::all_of(
        stats, [&](const auto& stat) { return compare::judges_elements(*function, stat.first, plan.options); });
  };
  return plan.options.check_shapes && std::ranges::all_of(plan.functions, judges_elements);
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

void Run::add_options(CLI::App& app) {
  model_.add_to(
      app,
      {.optional_file = true, .input_shapes = true, .inference = ModelOptions::Inference::opt_in, .float16 = true});
  engines_.add_to(app);
  marks_.add_to(app, "onnx-");
  saving_.add_to(app, ModelSaveOptions::Output::none);
  loader_.add_to(app);
  add_run_options(app);
  script_.add_to(app);
  comparison_.add_to(app);
  results_.add_to(app);
  layers_.add_to(app);
  report_.add_to(app);
  engines_.add_tensorrt_to(app, tensorrt::all_settings());
  refused_.add_to(app, tensorflow_runner_options());
  refused_.add_to(app, tensorflow_options());
}

void Run::add_run_options(CLI::App& app) {
  constexpr auto kGroup = "Running";
  app.add_option("--save-onnx", save_onnx_, "Save the model to this file, as the engines get it")
      ->option_text("FILE")
      ->group("ONNX Model Saving");
  app.add_option(
         "--load-outputs,--load-results", load_outputs_,
         "Compare with results saved by --save-outputs, or expected in an .npz file or ONNX's test_data_set_0, as "
         "further runs")
      ->option_text("FILE")
      ->expected(1, -1)
      ->group(kGroup);
  app.add_option(
         "--refused-code", refused_code_,
         "Exit with this status instead of 1 if an engine can't load or run the model. In a check of `debug reduce`, "
         "125 marks candidates that can't be judged, while outputs that differ still fail")
      ->option_text("CODE")
      ->check(between(1, 255))
      ->group(kGroup);
  app.add_flag("--validate", validate_, "Fail on NaN and infinity in outputs")->group(kGroup);
  app.add_flag("--sequential-runners", sequential_,
               "Run all iterations in one engine before the next, and keep all their results in memory")
      ->group(kGroup);
  app.add_option("--warm-up", warm_up_, "Run each engine this many times before measuring (default: 0)")
      ->option_text("COUNT")
      ->check(at_least(0))
      ->group(kGroup);
  app.add_flag("--use-subprocess", use_subprocess_,
               "Accepted without effect: engines always run in their own processes")
      ->group(kGroup);
  app.add_option(
         "--save-inputs,--save-input-data", save_inputs_,
         "Save the inputs to this file, or to this folder with one file per iteration, if it is an existing folder or "
         "a new path without an extension")
      ->option_text("FILE")
      ->group(kGroup);
  save_input_blob_ =
      app.add_option("--save-input-blob", input_blob_folder_,
                     "Save the inputs as raw bytes in FOLDER/<iteration>/<input>.bin (default FOLDER: .)")
          ->option_text("FOLDER")
          ->expected(0, 1)
          ->group(kGroup);
  app.add_option("--save-outputs,--save-results", save_outputs_, "Save the outputs, in the same way as --save-inputs")
      ->option_text("FILE")
      ->group(kGroup);
  memory_budget_.add_to(
      app,
      "Limit the memory for outputs if several are marked, e.g. 2G: those that don't fit run in windows, one "
      "after another (default: a quarter of the free memory)",
      kGroup);
}

base::Status Run::check(const std::vector<run::EngineSetup>& engines) const {
  ASSAY_TRY(refused_.check());
  if (engines.empty()) {
    if (load_outputs_.empty() && (report_.given() || layers_.prints_json())) {
      return fail(ErrorKind::invalid_input, "there is nothing to report because no engine runs",
                  report_.given() ? "--report" : "--format json", "Add an engine, e.g. --onnxrt");
    }
    if (save_outputs_.empty() && save_inputs_.empty() && save_onnx_.empty() && save_input_blob_->count() == 0)
      return engines_.check_unused();
    return fail(ErrorKind::invalid_input, "there is nothing to save because no engine runs", "--save-...",
                "Add an engine, e.g. --onnxrt");
  }
  if (model_.file().empty()) {
    return fail(ErrorKind::invalid_input, "the model is missing", {},
                "Put it first, since options with several values take what follows them: assay run MODEL --onnxrt");
  }
  ASSAY_TRY(model_.check_runnable(only_tensorrt(engines) ? ModelOptions::Takes::scripts_and_engines
                                                         : ModelOptions::Takes::onnx));
  return check_unchanged();
}

base::Status Run::check_unchanged() const {
  if (!model_.is_engine() && !model_.is_network_script()) return {};
  const char* option = nullptr;
  if (!save_onnx_.empty()) option = "--save-onnx";
  if (model_.wants_inference()) option = "--shape-inference";
  if (marks_.given()) option = "--onnx-outputs";
  if (option == nullptr) return {};
  return fail(ErrorKind::invalid_input,
              std::string("only ONNX models can be changed or saved, and ") +
                  (model_.is_engine() ? "this is an engine" : "a script makes this network"),
              option, "Leave it out");
}

base::Expected<std::vector<run::EngineSetup>> Run::engine_setups(const Installation& installation) const {
  ASSAY_ASSIGN(auto setups, engines_.setups(installation));
  ASSAY_TRY(set_tensorrt_model(setups, model_, installation));
  return setups;
}

base::Status Run::check_files() const {
  std::vector<OptionPath> read = files_read(model_, loader_);
  for (const std::string& path : load_outputs_) read.push_back({"--load-outputs", path});
  std::string blobs = input_blob_folder_;
  if (blobs.empty() && save_input_blob_->count() > 0) blobs = ".";
  std::vector<OptionPath> written = {{"--save-inputs", save_inputs_},
                                     {"--save-outputs", save_outputs_},
                                     {"--save-accuracy-results", results_.save_accuracy()}};
  ASSAY_TRY(check_paths(written, read));
  // --save-onnx may overwrite the model, and blobs go to subfolders, so these two are only checked against other
  // outputs.
  written.insert(written.end(), {{"--save-input-blob", blobs}, {"--save-onnx", save_onnx_}});
  ASSAY_TRY(check_paths(written, {}));
  return report_.check(std::move(written), read);
}

// An unchanged model goes to the engine as a user would load it, by its path. A changed one goes as bytes.
base::Expected<Run::Subject> Run::prepare_model(const std::vector<run::EngineSetup>& setups, base::Log& log) const {
  Subject subject;
  if (marks_.given() || model_.changes_model() || !save_onnx_.empty()) {
    ASSAY_ASSIGN(subject.model, model_.load(log));
    ASSAY_ASSIGN(const edit::MarkOptions marks, marks_.options());
    ASSAY_ASSIGN(subject.outputs, edit::choose_outputs(*subject.model, marks, log));
    if (!save_onnx_.empty()) {
      model::Model marked = *subject.model;
      ASSAY_TRY(edit::set_outputs(marked, subject.outputs));
      ASSAY_TRY(saving_.save(marked, save_onnx_, log));
    }
    if (subject.outputs.size() < 2 || std::ranges::any_of(setups, run::names_network_parts)) {
      ASSAY_ASSIGN(subject.source, run::marked_source(*subject.model, subject.outputs));
    }
    return subject;
  }
  ASSAY_ASSIGN(subject.source, model_.source());
  return subject;
}

base::Status Run::plan_windows(const std::vector<run::EngineSetup>& setups, Subject& subject, Context& context) const {
  const bool is_onnx = !model_.is_engine() && !model_.is_network_script();
  if (!is_onnx || (subject.outputs.size() < 2 && std::ranges::none_of(setups, run::chooses_outputs))) return {};
  if (!subject.model) {
    auto loaded = model_.load(context.log);
    if (!loaded) return {};  // engines say what is wrong with it
    subject.model = *std::move(loaded);
    ASSAY_ASSIGN(subject.outputs, edit::choose_outputs(*subject.model, {}, context.log));
  }
  ASSAY_ASSIGN(auto engines, run::layer_engines(setups, subject.source, subject.outputs, context.pool));
  if (run::all_tensors(engines).size() > 1 && run::share_tensors(engines)) subject.engines = std::move(engines);
  return {};
}

base::Expected<run::RunPlan> Run::make_plan() const {
  run::RunPlan plan;
  ASSAY_ASSIGN(plan.compare, comparison_.plan());
  ASSAY_ASSIGN(plan.postprocess, comparison_.postprocess());
  plan.validate = validate_;
  plan.sequential = sequential_;
  plan.warm_up = warm_up_;
  return plan;
}

base::Expected<RunSettings> Run::settings(const std::vector<std::string>& words, Context& context) {
  CLI::App app;
  Run run;
  LoggingOptions logging;
  run.add_options(app);
  logging.add_to(app);
  ASSAY_TRY(parse_words(app, words));
  RunSettings settings;
  ASSAY_ASSIGN(settings.engines, run.engine_setups(context.installation));
  ASSAY_ASSIGN(settings.inputs, open_inputs(run.model_, run.loader_, context));
  ASSAY_ASSIGN(const compare::ComparePlan plan, run.comparison_.plan());
  settings.tolerances = plan.options;
  settings.validate = run.validate_;
  settings.as_it_is = !run.marks_.given() && !run.model_.changes_model();
  settings.by_element = judges_elements_only(plan) && run.comparison_.check_unchanged() && !run.results_.uses_scripts();
  for (const std::string& path : run.load_outputs_) {
    ASSAY_ASSIGN(data::RunResults results, data::load_run_results(path));
    std::ranges::move(results.runners, std::back_inserter(settings.saved));
  }
  return settings;
}

base::Expected<LayerOptions::Outcome> Run::run_windows(const std::vector<run::StoredResults>& saved,
                                                       const Subject& subject, const run::RunPlan& plan,
                                                       Context& context) const {
  run::LayerRun run{*subject.model, subject.engines, saved, memory_budget_.bytes()};
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

base::Expected<bool> Run::run_engines(const std::vector<run::EngineSetup>& setups,
                                      const std::vector<run::StoredResults>& saved, Subject& subject, run::RunPlan plan,
                                      RunSavers& savers, Context& context) const {
  ASSAY_TRY(plan_windows(setups, subject, context));
  ComparedViews views(layers_, report_, subject.in_windows(), plan);
  ASSAY_ASSIGN(const LayerOptions::Outcome outcome, subject.in_windows()
                                                        ? run_windows(saved, subject, plan, context)
                                                        : run_whole(setups, saved, subject.source, plan, context));
  ASSAY_TRY(savers.finish_inputs(context.log));
  ASSAY_TRY(savers.finish_outputs(context.log));
  for (const run::EngineSetup& setup : setups) {
    for (const auto& [what, path] : run::engine_files(setup)) context.log.info("Saved {} to {}", what, path);
  }
  const std::string next = "`assay debug locate " + model_.file() +
                           "` with the same engines and inputs finds the node and saves it as a model of its own";
  std::optional<model::Model> unchanged;  // loaded only for the names of nodes
  if (!subject.model && views.wants_model()) {
    if (auto loaded = model_.load(context.log)) unchanged = *std::move(loaded);
  }
  const std::optional<model::Model>& model = subject.model ? subject.model : unchanged;
  ASSAY_TRY(views.show({model ? &*model : nullptr, model_.file(), setups, outcome, next}, context));
  return outcome.passed;
}

base::Expected<bool> Run::compare_saved(const std::vector<run::StoredResults>& saved, run::RunPlan plan,
                                        Context& context) const {
  ComparedViews views(layers_, report_, false, plan);
  std::optional<model::Model> model;  // gives the order of layers, if named
  if (views.wants_model() && !model_.file().empty()) {
    ASSAY_ASSIGN(model, model_.load(context.log));
  }
  ASSAY_ASSIGN(const run::Windows windows, run::make_windows(saved, memory_budget_.bytes(), context.log));
  ASSAY_ASSIGN(const auto found, run::run_windows(windows, plan, context.log, context.stop));
  const LayerOptions::Outcome outcome{found.passed, found.windows, {}};
  const std::string& file = model_.file().empty() ? load_outputs_.front() : model_.file();
  ASSAY_TRY(views.show({model ? &*model : nullptr, file, {}, outcome}, context));
  return outcome.passed;
}

base::Expected<int> Run::run_saved(const run::RunPlan& plan, Context& context) const {
  loader_.warn_of_unused(": no engine runs", context.log);
  marks_.warn_of_unused(": no engine runs", context.log);
  ASSAY_ASSIGN(const auto saved, open_results(load_outputs_, context.log));
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
  ASSAY_ASSIGN(const auto shapes, shapes_of_inputs(model_, loader_));
  ASSAY_ASSIGN(const auto inputs, loader_.source(shapes, context.stop, context.log));
  data::FirstInputs first(*inputs);
  ASSAY_TRY(set_loaded_shapes(setups, model_, loader_, first));
  warn_of_default_values(model_, loader_, first, context.log);
  base::SilentLog silent;  // the source of the run's inputs says the same again
  ASSAY_ASSIGN(const auto calibration_data, save_calibration_data(setups, model_, loader_, shapes, silent, context));
  start_engines(setups, context.pool);
  ASSAY_ASSIGN(const auto saved, open_results(load_outputs_, context.log));
  ASSAY_ASSIGN(Subject subject, prepare_model(setups, context.log));
  plan.inputs = std::bind_front(&data::FirstInputs::get, &first);
  plan.ends_before = [&](std::int64_t index) { return inputs->ends_before(index); };
  RunSavers savers;
  ASSAY_TRY(savers.open(save_inputs_, save_outputs_));
  const std::string blob_folder = input_blob_folder_.empty() ? "." : input_blob_folder_;
  savers.connect(plan, save_input_blob_->count() > 0 ? blob_folder : std::string());

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
  if (!model_.is_engine() && !model_.is_network_script()) error = explain_load_error(error, source);
  if (is_engine_error) error = report_.write_failure(std::move(error), model_.file(), setups, context);
  if (refused_code_ == 0 || error.kind != ErrorKind::engine) return fail(std::move(error));
  context.log.error("{}", error.message());
  if (layers_.prints_json()) context.out << error_json(error) << std::flush;  // as for errors that are returned
  return refused_code_;
}

base::Expected<int> Run::run(Context& context) {
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(auto setups, engine_setups(context.installation));
  if (script_.given()) {
    ASSAY_TRY(model_.check_runnable());
    ASSAY_TRY(script_.write({engines_, setups, model_, loader_, comparison_, validate_}, context));
    return kExitPassed;
  }
  ASSAY_TRY(check(setups));
  ASSAY_TRY(check_files());
  saving_.warn_if_not_saved(save_onnx_, "--save-onnx", context.log);
  ASSAY_ASSIGN(run::RunPlan plan, make_plan());
  if (!results_.compares_by_script()) comparison_.warn_of_unused(plan.compare, context.log);
  ASSAY_TRY(results_.apply(plan, context.stop, context.log));
  ASSAY_TRY(model_.input_shapes());
  return setups.empty() ? run_saved(plan, context) : run_setups(std::move(setups), std::move(plan), context);
}

std::optional<RunSettings> settings_of_run(const std::vector<std::string>& command, Context& context) {
  if (command.size() < 2 || command[1] != "run" || !is_own_command(command, context.installation)) return std::nullopt;
  auto settings = Run::settings({command.begin() + 2, command.end()}, context);
  return settings ? std::optional(*std::move(settings)) : std::nullopt;
}

std::unique_ptr<Command> make_run() {
  return std::make_unique<Run>();
}

}  // namespace assay::cli

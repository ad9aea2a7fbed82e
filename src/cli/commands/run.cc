#include "cli/commands/run.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>

#include "base/files.h"
#include "cli/arguments.h"
#include "cli/options/logging_options.h"
#include "compare/saved_runner.h"
#include "data/inputs_file.h"
#include "data/results_saver.h"
#include "data/run_results.h"
#include "edit/mark_outputs.h"
#include "model/load.h"
#include "model/reference_weights.h"
#include "model/save.h"

namespace assay::cli {
namespace {

using base::ErrorKind;
using base::fail;

constexpr std::string_view kTensorRt = "needs TensorRT, and this build has no TensorRT worker";
constexpr std::string_view kTensorFlow = "needs TensorFlow, and this build has no TensorFlow worker";

constexpr std::array kRefused = {
    RefusedOption{"--gen,--gen-script", true, "writes a script for the peer's own library"},
    RefusedOption{"--save-pb", true, kTensorFlow},
    RefusedOption{"--save-tensorboard", true, kTensorFlow},
    RefusedOption{"--tf", false, kTensorFlow},
    RefusedOption{"--pluginref", false, "runs an evaluator of three operators, which this version does not have"},
    RefusedOption{"--trt", false, kTensorRt},
    RefusedOption{"--tftrt,--use-tftrt", false, kTensorFlow},
    RefusedOption{"--minimum-segment-size", true, kTensorFlow},
    RefusedOption{"--dynamic-op", false, kTensorFlow},
    RefusedOption{"--gpu-memory-fraction", true, kTensorFlow},
    RefusedOption{"--allow-growth", false, kTensorFlow},
    RefusedOption{"--xla", false, kTensorFlow},
    RefusedOption{"--save-timeline", true, kTensorFlow},
    RefusedOption{"--save-engine", true, kTensorRt},
    RefusedOption{"--optimization-profile", true, kTensorRt},
    RefusedOption{"--allocation-strategy", true, kTensorRt},
    RefusedOption{"--weight-streaming-budget", true, kTensorRt},
};

tensor::Buffer to_buffer(std::shared_ptr<const base::MappedFile> file) {
  const auto bytes = file->bytes();
  return {bytes, std::move(file)};
}

base::Expected<std::vector<std::unique_ptr<compare::Runner>>> saved_runners(const std::vector<std::string>& paths,
                                                                            base::Log& log) {
  std::vector<std::unique_ptr<compare::Runner>> runners;
  for (const std::string& path : paths) {
    log.info("Loading results from {}", path);
    ASSAY_ASSIGN(data::RunResults results, data::load_run_results(path));
    for (data::RunnerResults& runner : results.runners) {
      runners.push_back(std::make_unique<compare::SavedRunner>(std::move(runner)));
    }
  }
  return runners;
}

// What is saved on the way. Files get their names at the end, when all is in them.
class Savers {
 public:
  base::Status open(const std::string& inputs, const std::string& outputs) {
    if (!inputs.empty()) {
      ASSAY_ASSIGN(auto saver, data::InputsSaver::create(inputs));
      inputs_ = std::make_unique<data::InputsSaver>(std::move(saver));
    }
    if (!outputs.empty()) {
      ASSAY_ASSIGN(auto saver, data::RunResultsSaver::create(outputs));
      outputs_ = std::make_unique<data::RunResultsSaver>(std::move(saver));
    }
    return {};
  }

  void connect(compare::RunPlan& plan, const std::string& blob_folder) {
    if (inputs_ != nullptr || !blob_folder.empty()) {
      plan.save_inputs = [this, blob_folder](std::int64_t index, const tensor::NamedTensors& inputs) -> base::Status {
        if (!blob_folder.empty()) ASSAY_TRY(data::save_input_blobs(blob_folder, index, inputs));
        if (inputs_ != nullptr) ASSAY_TRY(inputs_->add(inputs));
        any_inputs_ = true;
        return {};
      };
    }
    if (outputs_ != nullptr) {
      plan.save_outputs = [this](std::int64_t index, const std::vector<data::IterationResult>& results,
                                 bool part) -> base::Status {
        if (!part) return outputs_->add(results);
        for (const data::IterationResult& result : results) ASSAY_TRY(outputs_->add_part(index, result));
        return {};
      };
    }
  }

  [[nodiscard]] bool any_inputs() const { return any_inputs_; }
  base::Status finish_inputs() { return inputs_ == nullptr ? base::Status() : inputs_->finish(); }
  base::Status finish_outputs() { return outputs_ == nullptr ? base::Status() : outputs_->finish(); }

 private:
  std::unique_ptr<data::InputsSaver> inputs_;
  std::unique_ptr<data::RunResultsSaver> outputs_;
  bool any_inputs_ = false;
};

// An engine says little about a file that is no model; our own loader tells what is wrong with it.
base::Error explain(const base::Error& error, const worker::ModelSource& source) {
  const auto* file = std::get_if<worker::ModelFile>(&source);
  if (error.kind != ErrorKind::engine || file == nullptr) return error;
  const auto model = model::load(file->path);
  if (model) return error;
  base::Error explained = model.error();
  explained.what += " (" + error.message() + ")";
  return explained;
}

}  // namespace

void Run::add_options(CLI::App& app) {
  model_.add_to(app,
                {.optional_file = true, .input_shapes = true, .inference = ModelOptions::Parts::Inference::opt_in});
  engines_.add_to(app);
  marks_.add_to(app, "onnx-");
  saving_.add_to(app, SaveOptions::Output::none);
  loader_.add_to(app);
  add_run_options(app);
  comparison_.add_to(app);
  refused_.add_to(app, kRefused);
  refused_.add_to(app, tensorrt_options());
  refused_.add_to(app, tensorrt_engine_options());
  refused_.add_to(app, tensorrt_plugin_options());
  refused_.add_to(app, tensorflow_options());
}

void Run::add_run_options(CLI::App& app) {
  constexpr auto kGroup = "Running";
  app.add_option("--save-onnx", save_onnx_, "Save the model as it was run")->group("ONNX Model Saving");
  app.add_option("--load-outputs,--load-results", load_outputs_,
                 "Results saved by --save-outputs, compared as further runs; files or folders")
      ->expected(1, -1)
      ->group(kGroup);
  app.add_flag("--validate", validate_, "Fail on NaN and infinity in outputs")->group(kGroup);
  app.add_flag("--sequential-runners", sequential_,
               "Run one engine to the end before the next, and keep all results in memory")
      ->group(kGroup);
  app.add_option("--warm-up", warm_up_, "Runs before the first that counts (needs --sequential-runners)")
      ->check(CLI::NonNegativeNumber)
      ->group(kGroup);
  app.add_flag("--use-subprocess", use_subprocess_, "Accepted: engines always run in processes of their own")
      ->group(kGroup);
  app.add_option("--save-inputs,--save-input-data", save_inputs_,
                 "Save the inputs: to one file, or without an extension into a folder, a file for each iteration")
      ->group(kGroup);
  save_input_blob_ = app.add_option("--save-input-blob", input_blob_folder_,
                                    "Save the inputs as raw bytes: FOLDER/<iteration>/<input>.bin (default: .)")
                         ->expected(0, 1)
                         ->group(kGroup);
  app.add_option("--save-outputs,--save-results", save_outputs_, "Save the outputs, as --save-inputs does")
      ->group(kGroup);
}

base::Status Run::check(bool runs_engines) const {
  ASSAY_TRY(refused_.check());
  if (warm_up_ > 0 && !sequential_) {
    return fail(ErrorKind::invalid_input, "warm-up runs make sense only where an engine runs alone", "--warm-up",
                "Add --sequential-runners");
  }
  if (use_subprocess_ && !sequential_) {
    return fail(ErrorKind::invalid_input, "it goes with --sequential-runners only", "--use-subprocess",
                "Leave it out: engines always run in processes of their own");
  }
  if (!runs_engines) {
    if (save_outputs_.empty() && save_inputs_.empty() && save_onnx_.empty() && save_input_blob_->count() == 0)
      return {};
    return fail(ErrorKind::invalid_input, "there is nothing to save: no engine runs", "--save-...",
                "Name an engine, e.g. --onnxrt");
  }
  if (model_.file().empty()) {
    return fail(ErrorKind::invalid_input, "there is no model to run", {}, "Name a model: assay run MODEL --onnxrt");
  }
  if (model_.ignores_external_data()) {
    return fail(ErrorKind::invalid_input, "a model cannot run without its weights", "--ignore-external-data",
                "Leave it out");
  }
  return model_.check();
}

// A model that stays as it is goes to the engine as a user would load it, by its path. A changed one goes as bytes.
base::Expected<worker::ModelSource> Run::prepare_model(base::Log& log) const {
  if (marks_.given() || model_.wants_inference() || !save_onnx_.empty()) {
    ASSAY_ASSIGN(model::Model model, model_.load(log));
    ASSAY_TRY(edit::mark_outputs(model, marks_.options(), log));
    if (!save_onnx_.empty()) {
      ASSAY_ASSIGN(const model::SaveOptions options, saving_.save_options());
      ASSAY_TRY(model::save(model, save_onnx_, options));
      log.info("Saved the model to {}", save_onnx_);
    }
    ASSAY_ASSIGN(model::ReferencedModel referenced, model::serialize_by_reference(model));
    return worker::ModelBytes{tensor::Buffer::own(std::move(referenced.bytes)), referenced.external_data_dir};
  }
  ASSAY_ASSIGN(auto file, base::MappedFile::open(model_.file()));
  if (model_.external_data_dir().empty()) return worker::ModelFile{model_.file()};
  return worker::ModelBytes{to_buffer(std::move(file)), std::filesystem::absolute(model_.external_data_dir())};
}

base::Expected<compare::RunPlan> Run::make_plan() const {
  compare::RunPlan plan;
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
  ASSAY_ASSIGN(settings.engines, run.engines_.setups(context.installation));
  ASSAY_ASSIGN(const auto shapes, run.model_.input_shapes());
  ASSAY_ASSIGN(settings.inputs, run.loader_.source(shapes, context.stop, context.log));
  ASSAY_ASSIGN(const compare::ComparePlan plan, run.comparison_.plan());
  settings.tolerances = plan.options;
  settings.validate = run.validate_;
  settings.as_it_is = !run.marks_.given() && !run.model_.wants_inference();
  for (const std::string& path : run.load_outputs_) {
    ASSAY_ASSIGN(data::RunResults results, data::load_run_results(path));
    std::ranges::move(results.runners, std::back_inserter(settings.saved));
  }
  return settings;
}

base::Expected<int> Run::run(Context& context) {
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(const auto setups, engines_.setups(context.installation));
  ASSAY_TRY(check(!setups.empty()));
  ASSAY_ASSIGN(compare::RunPlan plan, make_plan());

  worker::ModelSource source;
  std::vector<std::unique_ptr<compare::Runner>> runners;
  std::unique_ptr<data::InputSource> inputs;
  Savers savers;
  if (!setups.empty()) {
    context.pool.prepare(setups[0].spec);  // it starts while the model and the inputs are read
    ASSAY_ASSIGN(const auto shapes, model_.input_shapes());
    ASSAY_ASSIGN(inputs, loader_.source(shapes, context.stop, context.log));
    plan.inputs = [&](std::int64_t index, std::span<const tensor::TensorSpec> ports) {
      return inputs->iteration(index, ports);
    };
    ASSAY_ASSIGN(source, prepare_model(context.log));
    for (const compare::EngineSetup& setup : setups) {
      runners.push_back(std::make_unique<compare::EngineRunner>(setup, source, context.pool));
    }
    ASSAY_TRY(savers.open(save_inputs_, save_outputs_));
    const std::string blob_folder = input_blob_folder_.empty() ? "." : input_blob_folder_;
    savers.connect(plan, save_input_blob_->count() > 0 ? blob_folder : std::string());
  }
  ASSAY_ASSIGN(auto saved, saved_runners(load_outputs_, context.log));
  std::ranges::move(saved, std::back_inserter(runners));
  if (runners.empty()) {
    context.log.warning("Nothing to run: name an engine, e.g. --onnxrt, or results to compare, --load-outputs");
    return kExitPassed;
  }

  const base::Expected<bool> passed = compare::run_and_compare(runners, plan, context.log, context.stop);
  if (!passed) {
    // Inputs that bring an engine down are worth keeping.
    if (passed.error().kind == ErrorKind::engine && savers.any_inputs()) ASSAY_TRY(savers.finish_inputs());
    return fail(explain(passed.error(), source));
  }
  ASSAY_TRY(savers.finish_inputs());
  ASSAY_TRY(savers.finish_outputs());
  return *passed ? kExitPassed : kExitFailed;
}

}  // namespace assay::cli

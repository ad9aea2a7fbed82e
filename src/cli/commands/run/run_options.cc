#include "cli/commands/run/run_options.h"

#include <array>

#include "cli/options/check_paths.h"
#include "cli/options/given_options.h"
#include "cli/options/validators.h"
#include "cli/steps/run_inputs.h"

namespace assay::cli {

using base::ErrorKind;
using base::fail;

void RunOptions::add_to(CLI::App& app) {
  app_ = &app;
  model.add_to(
      app,
      {.optional_file = true, .input_shapes = true, .inference = ModelOptions::Inference::opt_in, .float16 = true});
  engines.add_to(app);
  marks.add_to(app, "onnx-");
  saving.add_to(app, ModelSaveOptions::Output::none);
  loader.add_to(app);
  add_own(app);
  script.add_to(app);
  comparison.add_to(app);
  results.add_to(app);
  layers.add_to(app);
  report.add_to(app);
  engines.add_tensorrt_to(app, tensorrt::all_settings());
  refused.add_to(app, tensorflow_runner_options());
  refused.add_to(app, tensorflow_options());
}

void RunOptions::add_own(CLI::App& app) {
  constexpr auto kGroup = "Running";
  app.add_option("--save-onnx", save_onnx, "Save the model to this file, as the engines get it")
      ->option_text("FILE")
      ->group("ONNX Model Saving");
  app.add_option(
         "--load-outputs,--load-results", load_outputs,
         "Compare with results saved by --save-outputs, or expected in an .npz file or ONNX's test_data_set_0, as "
         "further runs")
      ->option_text("FILE")
      ->expected(1, -1)
      ->group(kGroup);
  app.add_option(
         "--refused-code", refused_code,
         "Exit with this status instead of 1 if an engine can't load or run the model. In a check of `debug reduce`, "
         "125 marks candidates that can't be judged, while outputs that differ still fail")
      ->option_text("CODE")
      ->check(between(1, 255))
      ->group(kGroup);
  app.add_flag("--validate", validate, "Fail on NaN and infinity in outputs")->group(kGroup);
  app.add_flag("--sequential-runners", sequential,
               "Run all iterations in one engine before the next, and keep all their results in memory")
      ->group(kGroup);
  app.add_option("--warm-up", warm_up, "Run each engine this many times before measuring (default: 0)")
      ->option_text("COUNT")
      ->check(at_least(0))
      ->group(kGroup);
  app.add_flag("--use-subprocess", use_subprocess_,
               "Accepted without effect: engines always run in their own processes")
      ->group(kGroup);
  app.add_option(
         "--save-inputs,--save-input-data", save_inputs,
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
  app.add_option("--save-outputs,--save-results", save_outputs, "Save the outputs, in the same way as --save-inputs")
      ->option_text("FILE")
      ->group(kGroup);
  memory_budget.add_to(
      app,
      "Limit the memory for outputs if several are marked, e.g. 2G: those that don't fit run in windows, one "
      "after another (default: a quarter of the free memory)",
      kGroup);
}

base::Expected<std::vector<run::EngineSetup>> RunOptions::engine_setups(const Installation& installation) const {
  ASSAY_ASSIGN(auto setups, engines.setups(installation));
  ASSAY_TRY(set_tensorrt_model(setups, model, installation));
  return setups;
}

base::Status RunOptions::check(const std::vector<run::EngineSetup>& setups) const {
  if (setups.empty()) {
    if (load_outputs.empty() && (report.given() || layers.prints_json())) {
      return fail(ErrorKind::invalid_input, "there is nothing to report because no engine runs",
                  report.given() ? "--report" : "--format json", "Add an engine, e.g. --onnxrt");
    }
    for (const auto& [option, path] :
         {std::pair{"--save-outputs", save_outputs}, std::pair{"--save-inputs", save_inputs},
          std::pair{"--save-onnx", save_onnx}, std::pair{"--save-input-blob", input_blobs()}}) {
      if (path.empty()) continue;
      return fail(ErrorKind::invalid_input, "there is nothing to save because no engine runs", option,
                  "Add an engine, e.g. --onnxrt");
    }
    return engines.check_unused();
  }
  if (model.file().empty()) {
    return fail(ErrorKind::invalid_input, "the model is missing", {},
                "Put it first, since options with several values take what follows them: assay run MODEL --onnxrt");
  }
  ASSAY_TRY(model.check_runnable(only_tensorrt(setups) ? ModelOptions::Takes::scripts_and_engines
                                                       : ModelOptions::Takes::onnx));
  return check_unchanged();
}

base::Status RunOptions::check_unchanged() const {
  if (!model.is_engine() && !model.is_network_script()) return {};
  std::string option = marks.first_given();
  if (option.empty() && !save_onnx.empty()) option = "--save-onnx";
  if (option.empty()) return {};
  return fail(ErrorKind::invalid_input,
              std::string("only ONNX models can be changed or saved, and ") +
                  (model.is_engine() ? "this is an engine" : "a script makes this network"),
              option, "Leave it out");
}

base::Status RunOptions::check_files() const {
  std::vector<OptionPath> read = files_read(model, loader);
  for (const std::string& path : load_outputs) read.push_back({"--load-outputs", path});
  std::vector<OptionPath> written = {{"--save-inputs", save_inputs},
                                     {"--save-outputs", save_outputs},
                                     {"--save-accuracy-results", results.save_accuracy()}};
  ASSAY_TRY(check_paths(written, read));
  // --save-onnx may overwrite the model, and blobs go to subfolders, so these two are only checked against other
  // outputs.
  written.insert(written.end(), {{"--save-input-blob", input_blobs()}, {"--save-onnx", save_onnx}});
  ASSAY_TRY(check_paths(written, {}));
  return report.check(std::move(written), read);
}

void RunOptions::warn_of_uncompared(base::Log& log) const {
  std::vector<const CLI::Option*> comparing;
  for (const CLI::Option* option : app_->get_options()) {
    const std::string name = option->get_name();
    const bool changes_outputs = name == "--postprocess" || name == "--postprocess-func-script";
    const bool compares = option->get_group().starts_with(ComparisonOptions::kGroup) || name == "--layers";
    if (compares && !changes_outputs) comparing.push_back(option);
  }
  warn_of_given(comparing,
                ": nothing is compared, because only one engine runs. Add another one, or results with --load-outputs",
                log);
}

void RunOptions::warn_of_engine_options(base::Log& log) const {
  for (const char* name : {"--warm-up", "--sequential-runners", "--refused-code"}) {
    warn_of_given(std::array{app_->get_option(name)}, ": no engine runs", log);
  }
}

std::string RunOptions::input_blobs() const {
  if (save_input_blob_->count() == 0) return {};
  return input_blob_folder_.empty() ? "." : input_blob_folder_;
}

}  // namespace assay::cli

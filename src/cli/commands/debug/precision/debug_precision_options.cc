#include "cli/commands/debug/precision/debug_precision_options.h"

#include "blame/mix_precision.h"
#include "cli/options/check_paths.h"
#include "cli/options/float16_tolerances.h"
#include "cli/parse/given_words.h"
#include "cli/steps/run_inputs.h"

namespace assay::cli {

using base::ErrorKind;
using base::fail;

void DebugPrecisionOptions::add_to(CLI::App& app, CheckOptions& user_check) {
  app_ = &app;
  model.add_to(app, {.input_shapes = true, .inference = ModelOptions::Inference::opt_in});
  constexpr auto kGroup = "Precision";
  app.add_option("--mode", mode_,
                 "minimal: keep a set of nodes in float32 of which none can be left out; bisect: keep the first nodes, "
                 "as many as needed, found by halving; linear: the same, found node by node. With --dir the default is "
                 "bisect")
      ->check(CLI::IsMember({"minimal", "bisect", "linear"}))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--dir,--direction", direction_, "bisect and linear: begin with the first nodes or the last ones")
      ->check(CLI::IsMember({"forward", "reverse"}))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("-p,--precision", precision,
                 "The precision of what is kept. float16 needs --trt with --fp16 and a lower precision, such as --int8")
      ->check(CLI::IsMember({"float32", "float16"}))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option(
         "--quantized", quantized,
         "Find the nodes that have to stay in float32 if the others run as in this model, which a quantizer has "
         "made from the model. Outputs are then compared by --compare snr, unless options choose another way")
      ->option_text("FILE")
      ->group(kGroup);
  format.add_to(app);
  engines.add_to(app);
  user_check.add_to(app);
  iterations.add_to(app, {.iter_artifact = "polygraphy_debug.onnx", .until = false});
  app.get_option("--iter-artifact")->default_str("polygraphy_debug.onnx, or polygraphy_debug.engine with --trt");
  loader.add_to(app, DataLoaderOptions::Runs::at_least_once);
  comparison.add_to(app, ComparisonOptions::Subject::outputs, float16_tolerances());
  saving.add_to(app, ModelSaveOptions::Output::optional);
  engines.add_tensorrt_to(app, tensorrt::build_settings());
  refused.add_to(app, tensorflow_options());
}

std::string DebugPrecisionOptions::mode() const {
  return app_->count("--mode") == 0 && app_->count("--dir") > 0 ? "bisect" : mode_;
}

bool DebugPrecisionOptions::searches_layers(const std::vector<run::EngineSetup>& setups) const {
  return only_tensorrt(setups) && quantized.empty();
}

// Quantization changes each value by up to half a step, so single elements say little. A user who sets tolerances for
// them still gets these.
std::string DebugPrecisionOptions::way_to_compare() const {
  return quantized.empty() || !given_words(*app_, {ComparisonOptions::kSimpleGroup}).empty() ? "simple" : "snr";
}

blame::PrecisionOptions DebugPrecisionOptions::search() const {
  blame::PrecisionOptions options{.reverse = direction_ == "reverse"};
  if (mode() == "bisect") options.mode = blame::PrecisionMode::bisect;
  if (mode() == "linear") options.mode = blame::PrecisionMode::linear;
  return options;
}

base::Status DebugPrecisionOptions::check(const CheckOptions& user_check,
                                          const std::vector<run::EngineSetup>& setups) const {
  const bool layers = searches_layers(setups);
  ASSAY_TRY(model.check_runnable(layers ? ModelOptions::Takes::scripts : ModelOptions::Takes::onnx));
  if (mode() == "minimal" && app_->count("--dir") > 0) {
    return fail(ErrorKind::invalid_input, "minimal mode doesn't begin at one end", "--dir",
                "Leave it out, or use --mode bisect or linear");
  }
  ASSAY_TRY(check_precision(setups));
  ASSAY_TRY(check_judges(user_check, setups));
  ASSAY_TRY(format.check_judge(user_check.has_command() || !setups.empty()));
  ASSAY_TRY(
      check_paths({{"-o", saving.output()},
                   {"--iter-artifact", (layers ? iterations.engine_artifact() : iterations.iter_artifact()).string()},
                   {"--save-debug-replay", iterations.save_replay().string()},
                   {"--iter-info", iterations.info()}},
                  files_read(model, loader, {{"--quantized", quantized}})));
  ASSAY_TRY(saving.save_options());
  ASSAY_TRY(iterations.check());
  return check_writable(saving.output(), "-o");
}

base::Status DebugPrecisionOptions::check_precision(const std::vector<run::EngineSetup>& setups) const {
  if (precision != "float32" && !quantized.empty()) {
    return fail(ErrorKind::unsupported, "nodes are kept as the model has them before quantization", "--precision",
                "Leave it out, or give a model in that precision");
  }
  if (!quantized.empty() && !setups.empty()) ASSAY_TRY(blame::check_keeps_types(setups.front()));
  if (precision != "float32" && !searches_layers(setups)) {
    return fail(ErrorKind::unsupported, "the other nodes would have to run in int8, which needs TensorRT",
                "--precision", "Add --trt, or leave it out: nodes are kept in float32, and the others run in float16");
  }
  return {};
}

base::Status DebugPrecisionOptions::check_judges(const CheckOptions& user_check,
                                                 const std::vector<run::EngineSetup>& setups) const {
  const bool layers = searches_layers(setups);
  if (setups.size() > 1 || (!setups.empty() && !layers && user_check.has_command())) {
    return fail(ErrorKind::invalid_input, "only one engine or one check can judge", {},
                "Give one engine, e.g. --onnxrt, or --check COMMAND. With --trt, the check judges the engine that "
                "TensorRT builds");
  }
  if (layers) {
    for (const std::string& word : given_words(*app_, {"ONNX Model Saving"})) {
      return fail(ErrorKind::invalid_input,
                  "TensorRT chooses precisions when it builds an engine, so no model of mixed precision can be saved",
                  word, "Leave it out. `assay convert` builds an engine with the options that this command prints");
    }
  }
  if (setups.empty()) ASSAY_TRY(engines.check_unused());
  if (setups.empty() && !quantized.empty()) {
    const std::string unused = app_->count("--input-shapes") > 0 ? "--input-shapes" : loader.first_given();
    if (!unused.empty()) {
      return fail(ErrorKind::invalid_input, "a check judges quantized models without inputs from this command", unused,
                  "Leave it out, and let the check take its inputs itself");
    }
  }
  return !setups.empty() && !user_check.has_command() ? refuse_options_of_check() : refuse_options_of_comparison();
}

base::Status DebugPrecisionOptions::refuse_options_of_check() const {
  for (const std::string& word :
       given_words(*app_, {"Artifact Sorting", "Iterative Debugging", "Pass/Fail Reporting"})) {
    if (!word.starts_with("--") || word.ends_with("-debug-replay")) continue;
    return fail(ErrorKind::invalid_input, "an engine judges without a file or a command", word,
                "Leave it out, or judge with --check COMMAND instead of an engine");
  }
  return {};
}

base::Status DebugPrecisionOptions::refuse_options_of_comparison() const {
  for (const CLI::Option* option : app_->get_options()) {
    if (option->count() == 0 || !option->get_group().starts_with(ComparisonOptions::kGroup)) continue;
    return fail(ErrorKind::invalid_input, "no outputs are compared, so this option would have no effect",
                option->get_name(), "Leave it out, or give an engine, e.g. --onnxrt, and no --check");
  }
  return {};
}

}  // namespace assay::cli

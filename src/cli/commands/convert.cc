// `assay convert`: saves a model in another form: with inferred shapes, in float16, with other outputs, with its
// weights in other files, as an engine that TensorRT builds, or as a picture of TensorRT's network.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/engine_table.h"
#include "base/files.h"
#include "blame/build_engine.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/check_paths.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/output_options.h"
#include "cli/options/refused_options.h"
#include "cli/steps/calibration_data.h"
#include "cli/steps/tensorrt_network.h"
#include "model/text_forms.h"
#include "run/engine_files.h"
#include "run/marked_source.h"
#include "surgeon/graph/declare_outputs.h"

namespace assay::cli {
namespace {

class Convert final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  // Returns the target's name.
  [[nodiscard]] base::Expected<std::string_view> target() const;
  [[nodiscard]] base::Status build(const worker::ModelSource& source, Context& context) const;
  // Copies an engine that was built before, as Polygraphy does.
  [[nodiscard]] base::Status copy_engine(Context& context) const;
  // Saves the network that TensorRT makes of the model.
  [[nodiscard]] base::Status save_network(const worker::ModelSource& source, Context& context) const;
  // Checks that no option is given that only an engine needs, for another target.
  [[nodiscard]] base::Status check_unused(std::string_view target) const;
  // Checks that no option marks outputs of a model that isn't ONNX. `model`: "this is an engine".
  [[nodiscard]] base::Status check_unmarked(const char* model) const;
  // Returns the first option for inputs that was given; empty: none.
  [[nodiscard]] base::Expected<std::string> given_input_option() const;

  const CLI::App* app_ = nullptr;
  ModelOptions model_;
  OutputOptions marks_;
  ModelSaveOptions saving_;
  EngineOptions tensorrt_{*backend::find_engine_row("tensorrt")};
  DataLoaderOptions loader_;
  RefusedOptions refused_;
  std::string target_;
};

using base::ErrorKind;
using base::fail;

// Polygraphy's targets, with the extensions of -o that imply them.
struct Target {
  std::string_view name;
  std::string_view extension;
  std::string_view other_extension;
};
constexpr std::string_view kTensorRt = "trt";
constexpr std::string_view kNetwork = "onnx-like-trt-network";
constexpr std::array kTargets = {
    Target{"onnx", ".onnx", ""},
    Target{kTensorRt, ".engine", ".plan"},
    Target{kNetwork, "", ""},
};

}  // namespace

void Convert::add_options(CLI::App& app) {
  app_ = &app;
  model_.add_to(app, {.input_shapes = true, .inference = ModelOptions::Inference::opt_in, .float16 = true});
  marks_.add_to(app, "onnx-");
  saving_.add_to(app, ModelSaveOptions::Output::required);
  std::vector<std::string> names;
  for (const Target& target : kTargets) names.emplace_back(target.name);
  app.add_option("--convert-to", target_,
                 "Set the form of the result instead of taking it from the extension of the output: onnx; trt for an "
                 "engine that TensorRT builds; onnx-like-trt-network for the network that TensorRT's parser makes, in "
                 "ONNX's format but with TensorRT's layers as operators, to be looked at")
      ->check(CLI::IsMember(names));
  tensorrt_.add_to(app);
  tensorrt_.add_tensorrt_to(app, tensorrt::build_settings());
  loader_.add_to(app);
  refused_.add_to(app, tensorflow_options());
}

base::Expected<std::string_view> Convert::target() const {
  const std::string extension = std::filesystem::path(saving_.output()).extension().string();
  for (const Target& target : kTargets) {
    const bool meant =
        target_.empty() ? !extension.empty() && (extension == target.extension || extension == target.other_extension)
                        : target_ == target.name;
    if (meant) return target.name;
  }
  if (target_.empty() && model::text_form_of_name(saving_.output())) return kTargets.front().name;
  return fail(ErrorKind::invalid_input, fmt::format("the extension '{}' does not say what to convert to", extension),
              "-o " + saving_.output(), "Use the extension .onnx or .plan, or give --convert-to");
}

base::Status Convert::check_unused(std::string_view target) const {
  if (target == kNetwork) {
    for (const auto& settings : {tensorrt::config_settings(), tensorrt::engine_settings()}) {
      for (const tensorrt::Setting& setting : settings) {
        const std::string name(setting.name());
        if (app_->count(name) == 0) continue;
        return fail(ErrorKind::invalid_input, "this is a setting for building engines, and only the network is saved",
                    name, "Leave it out");
      }
    }
  } else {
    if (app_->count("--fp16") > 0) {
      return fail(ErrorKind::invalid_input, "this is a setting of TensorRT, which doesn't run", "--fp16",
                  "To save an ONNX model in float16, use --fp-to-fp16");
    }
    ASSAY_TRY(tensorrt_.check_unused());
  }
  ASSAY_ASSIGN(const std::string option, given_input_option());
  if (option.empty()) return {};
  return fail(ErrorKind::invalid_input, "this chooses inputs, which only calibrate TensorRT engines", option,
              "Leave it out, or give an output that ends in .plan");
}

base::Expected<std::string> Convert::given_input_option() const {
  ASSAY_ASSIGN(const auto shapes, model_.input_shapes());
  return shapes.empty() ? loader_.first_given() : "--input-shapes";
}

base::Status Convert::check_unmarked(const char* model) const {
  if (!marks_.given()) return {};
  return fail(ErrorKind::invalid_input, fmt::format("only ONNX models can be changed, and {}", model),
              marks_.first_given(), "Leave it out");
}

base::Status Convert::build(const worker::ModelSource& source, Context& context) const {
  ASSAY_TRY(model_.check_runnable(ModelOptions::Takes::scripts));
  ASSAY_ASSIGN(auto engines, tensorrt_.setups(context.installation));
  ASSAY_TRY(set_tensorrt_model(engines, model_, context.installation));
  ASSAY_ASSIGN(const auto calibration_data, save_calibration_data(engines, model_, loader_, context));
  ASSAY_TRY(blame::build_engine(engines.front(), source, saving_.output(), context.pool, context.log));
  context.log.info("Saved the engine to {}", saving_.output());
  for (const auto& [what, path] : run::engine_files(engines.front())) context.log.info("Saved {} to {}", what, path);
  return {};
}

base::Status Convert::copy_engine(Context& context) const {
  ASSAY_TRY(model_.check_runnable(ModelOptions::Takes::scripts_and_engines));
  ASSAY_TRY(check_unmarked("this is an engine"));
  ASSAY_TRY(tensorrt_.check_unused());
  ASSAY_ASSIGN(const std::string inputs, given_input_option());
  if (!inputs.empty()) {
    return fail(ErrorKind::invalid_input, "this chooses inputs for a build, and the engine is copied", inputs,
                "Leave it out");
  }
  ASSAY_TRY(check_paths({{"-o", saving_.output()}}, {{"the model", model_.file()}}));
  ASSAY_TRY(base::copy_file(model_.file(), saving_.output()));
  context.log.info("The model is an engine already. Copied it to {}", saving_.output());
  return {};
}

base::Status Convert::save_network(const worker::ModelSource& source, Context& context) const {
  ASSAY_TRY(model_.check_runnable(ModelOptions::Takes::scripts));
  ASSAY_ASSIGN(const model::Model network,
               load_network(tensorrt_, model_, source, !model_.is_network_script(), context));
  return saving_.save(network, context.log);
}

base::Expected<int> Convert::run(Context& context) {
  ASSAY_ASSIGN(const std::string_view target, this->target());
  ASSAY_TRY(refused_.check());
  ASSAY_TRY(saving_.check());
  const bool in_tensorrt = target == kTensorRt || target == kNetwork;
  if (target != kTensorRt) ASSAY_TRY(check_unused(target));
  if (target == kTensorRt) saving_.warn_if_not_saved("", "an ONNX output", context.log);
  const auto write = [&](const worker::ModelSource& source) {
    return target == kNetwork ? save_network(source, context) : build(source, context);
  };
  if (target == kTensorRt && model_.is_engine()) {
    ASSAY_TRY(copy_engine(context));
    return kExitPassed;
  }
  if (in_tensorrt && model_.is_network_script()) {
    ASSAY_TRY(check_unmarked("a script makes this network"));
    ASSAY_ASSIGN(const worker::ModelSource script, model_.source());
    ASSAY_TRY(write(script));
    return kExitPassed;
  }
  ASSAY_ASSIGN(const edit::MarkOptions marks, marks_.options());
  ASSAY_ASSIGN(model::Model model, model_.load_as_it_is());
  model_.infer_shapes(model, context.log);
  // Marked before the conversion, so that they stay float32, as outputs do.
  if (!marks.empty()) {
    ASSAY_TRY(edit::mark_outputs(model, marks, context.log));
    surgeon::declare_outputs(model, context.log);
  }
  ASSAY_TRY(model_.make_float16(model, context.log));
  if (in_tensorrt) {
    ASSAY_ASSIGN(const worker::ModelSource source, run::unmarked_source(model));
    ASSAY_TRY(write(source));
    return kExitPassed;
  }
  ASSAY_TRY(saving_.save(model, context.log));
  return kExitPassed;
}

std::unique_ptr<Command> make_convert() {
  return std::make_unique<Convert>();
}

}  // namespace assay::cli

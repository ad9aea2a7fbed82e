// `assay convert`: saves a model in another form: with inferred shapes, in float16, with other outputs, or with its
// weights in other files.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/commands/make_commands.h"
#include "cli/float16_model.h"
#include "cli/options/calibration_options.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/output_options.h"
#include "cli/options/refused_options.h"
#include "surgeon/declare_outputs.h"

namespace assay::cli {
namespace {

class Convert final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  [[nodiscard]] base::Status check_target() const;

  ModelOptions model_;
  OutputOptions marks_;
  ModelSaveOptions saving_;
  RefusedOptions refused_;
  std::string target_;
  bool float16_ = false;
};

using base::ErrorKind;
using base::fail;

// Polygraphy's targets, with the extensions of -o that imply them.
struct Target {
  std::string_view name;
  std::string_view extension;
  std::string_view other_extension;
  std::string_view missing;  // what an unsupported one would need
};
constexpr std::array kTargets = {
    Target{"onnx", ".onnx", "", ""},
    Target{"trt", ".engine", ".plan", "a TensorRT engine is built by TensorRT"},
    Target{"onnx-like-trt-network", "", "", "TensorRT has to parse the model for it"},
};

constexpr std::array kRefused = {
    RefusedOption{"--engine-capability", true, "needs TensorRT, and this build has no TensorRT worker"},
};

}  // namespace

void Convert::add_options(CLI::App& app) {
  app.add_flag("--fp-to-fp16", float16_, ModelOptions::kFloat16Help)->group("ONNX Model Loading");
  ModelOptions::Parts parts;
  parts.inference = ModelOptions::Parts::Inference::opt_in;
  model_.add_to(app, parts);
  marks_.add_to(app, "onnx-");
  saving_.add_to(app, ModelSaveOptions::Output::required);
  std::vector<std::string> names;
  for (const Target& target : kTargets) names.emplace_back(target.name);
  app.add_option("--convert-to", target_,
                 "Set the form of the result instead of taking it from the extension of the output. Only onnx is "
                 "supported")
      ->check(CLI::IsMember(names));
  refused_.add_to(app, kRefused);
  refused_.add_to(app, calibration_options());
  refused_.add_to(app, tensorrt_options());
  refused_.add_to(app, tensorrt_plugin_options());
  refused_.add_to(app, tensorrt_engine_options());
  refused_.add_to(app, tensorflow_options());
}

base::Status Convert::check_target() const {
  const std::string extension = std::filesystem::path(saving_.output()).extension().string();
  for (const Target& target : kTargets) {
    const bool meant =
        target_.empty() ? !extension.empty() && (extension == target.extension || extension == target.other_extension)
                        : target_ == target.name;
    if (!meant) continue;
    if (target.missing.empty()) return {};
    return fail(
        ErrorKind::unsupported,
        fmt::format("can't convert to '{}': {}, and this build has no TensorRT worker", target.name, target.missing),
        target_.empty() ? saving_.output() : "--convert-to", "Give an output that ends in .onnx, for ONNX");
  }
  return fail(ErrorKind::invalid_input, fmt::format("the extension '{}' does not say what to convert to", extension),
              saving_.output(), "Use the extension .onnx, or give --convert-to onnx");
}

base::Expected<int> Convert::run(Context& context) {
  ASSAY_TRY(check_target());
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(const edit::MarkOptions marks, marks_.options());
  ASSAY_ASSIGN(model::Model model, model_.load(context.log));
  // Marked before the conversion, so that they stay float32, as outputs do.
  if (!marks.empty()) {
    ASSAY_TRY(edit::mark_outputs(model, marks, context.log));
    surgeon::declare_outputs(model, context.log);
  }
  if (float16_) ASSAY_TRY(make_float16(model, context.log));
  ASSAY_TRY(saving_.save(model, context.log));
  return kExitPassed;
}

std::unique_ptr<Command> make_convert() {
  return std::make_unique<Convert>();
}

}  // namespace assay::cli

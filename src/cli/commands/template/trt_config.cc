// `assay template trt-config`: writes a Python script that creates a TensorRT builder configuration.
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/model_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/script_file.h"
#include "cli/options/tensorrt_options.h"
#include "model/load.h"
#include "tensorrt/scripts/python_scripts.h"

namespace assay::cli {
namespace {

class TemplateTrtConfig final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_script() const override { return output_.prints(); }

 private:
  ModelOptions model_;
  TensorRtOptions settings_;
  RefusedOptions refused_;
  ScriptFile output_;
};

}  // namespace

void TemplateTrtConfig::add_options(CLI::App& app) {
  model_.add_to(app, {.optional_file = true, .input_shapes = true});
  app.get_option("--input-shapes")->description("Shapes of inputs that the options for profiles don't mention");
  settings_.add_to(app, tensorrt::config_settings(), "TensorRT Builder Configuration");
  refused_.add_inputs_to(
      app, "chooses inputs to calibrate with, but the script takes calibrated ranges from a file, --calibration-cache");
  output_.add_to(app)->required();
}

base::Expected<int> TemplateTrtConfig::run(Context& context) {
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(const auto shapes, model_.input_shapes());
  ASSAY_ASSIGN(tensorrt::ConfigPlan plan,
               tensorrt::plan_config(tensorrt::keep_shapes(settings_.given()), without_dynamic_dimensions(shapes)));
  for (tensorrt::Profile& profile : plan.profiles) {
    for (auto& [input, range] : profile.inputs) range.is_optional = false;  // a misspelt name is an error
  }
  if (plan.calibrator && plan.calibrator->cache.empty()) {
    return base::fail(base::ErrorKind::invalid_input, "the script has no data to calibrate with", "--calib-base-cls",
                      "Give a file of calibrated ranges with --calibration-cache, or leave it out");
  }
  if (model_.ignores_external_data() || !model_.external_data_dir().empty()) {
    return base::fail(base::ErrorKind::invalid_input, "a configuration doesn't depend on weights",
                      model_.ignores_external_data() ? "--ignore-external-data" : "--external-data-dir",
                      "Leave it out");
  }
  if (!model_.file().empty()) {
    ASSAY_TRY(model_.check());
    ASSAY_ASSIGN(const model::Model model, model::load(model_.file(), {.ignore_external_data = true}));
    std::vector<std::string> inputs;
    for (const onnx::ValueInfoProto& input : model.graph().input()) inputs.push_back(input.name());
    ASSAY_TRY(tensorrt::check_inputs(plan, inputs));
  }
  ASSAY_TRY(output_.save(tensorrt::config_script(plan), "script", "It needs the Python package tensorrt",
                         {{"the model", model_.file()}}, context));
  return kExitPassed;
}

std::unique_ptr<Command> make_template_trt_config() {
  return std::make_unique<TemplateTrtConfig>();
}

}  // namespace assay::cli

// `assay template trt-network`: writes a Python script that creates a TensorRT network, from a model or from nothing.
#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/commands/make_commands.h"
#include "cli/options/model_options.h"
#include "cli/options/script_file.h"
#include "cli/options/tensorrt_options.h"
#include "tensorrt/scripts/python_scripts.h"

namespace assay::cli {
namespace {

class TemplateTrtNetwork final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return output_.prints(); }

 private:
  ModelOptions model_;
  TensorRtOptions settings_;
  ScriptFile output_;
};

}  // namespace

void TemplateTrtNetwork::add_options(CLI::App& app) {
  ModelOptions::Parts parts;
  parts.optional_file = true;
  model_.add_to(app, parts);
  settings_.add_to(app, tensorrt::plugin_settings(), "TensorRT Plugin Loading");
  settings_.add_to(app, tensorrt::network_settings(), "TensorRT Network Loading");
  settings_.add_to(app, tensorrt::parser_settings(), "ONNX-TensorRT Parser Flags");
  app.add_option("-o,--output", output_.path(), "Write the script to this file; - prints it")
      ->option_text("FILE")
      ->required();
}

base::Expected<int> TemplateTrtNetwork::run(Context& context) {
  if (!model_.file().empty()) ASSAY_TRY(model_.load_as_it_is().map([](const auto&) {}));
  ASSAY_ASSIGN(tensorrt::NetworkPlan plan, tensorrt::plan_network(settings_.given(), model_.file()));
  if (!model_.external_data_dir().empty()) {
    plan.parsed_as = (std::filesystem::absolute(model_.external_data_dir()) / "model.onnx").string();
  }
  ASSAY_TRY(output_.save(tensorrt::network_script(plan), "script", "It needs the Python package tensorrt", context));
  return kExitPassed;
}

std::unique_ptr<Command> make_template_trt_network() {
  return std::make_unique<TemplateTrtNetwork>();
}

}  // namespace assay::cli

// `assay template trt-network`: writes a Python script that makes a TensorRT network, from a model or from nothing.
#include <filesystem>
#include <memory>
#include <string>

#include "base/files.h"
#include "cli/command.h"
#include "cli/commands/make_commands.h"
#include "cli/options/model_options.h"
#include "cli/options/tensorrt_options.h"
#include "tensorrt/scripts/python_scripts.h"

namespace assay::cli {
namespace {

class TemplateTrtNetwork final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  ModelOptions model_;
  TensorRtOptions settings_;
  std::filesystem::path output_;
};

}  // namespace

void TemplateTrtNetwork::add_options(CLI::App& app) {
  ModelOptions::Parts parts;
  parts.optional_file = true;
  model_.add_to(app, parts);
  settings_.add_to(app, tensorrt::plugin_settings(), "TensorRT Plugin Loading");
  settings_.add_to(app, tensorrt::network_settings(), "TensorRT Network Loading");
  settings_.add_to(app, tensorrt::parser_settings(), "ONNX-TensorRT Parser Flags");
  app.add_option("-o,--output", output_, "Write the script to this file")->option_text("FILE")->required();
}

base::Expected<int> TemplateTrtNetwork::run(Context& context) {
  if (!model_.file().empty()) ASSAY_TRY(model_.load_as_it_is().map([](const auto&) {}));
  ASSAY_ASSIGN(tensorrt::NetworkPlan plan, tensorrt::plan_network(settings_.given(), model_.file()));
  if (!model_.external_data_dir().empty()) {
    plan.parsed_as = (std::filesystem::absolute(model_.external_data_dir()) / "model.onnx").string();
  }
  ASSAY_TRY(base::write_file(output_, tensorrt::network_script(plan)));
  context.log.info("Saved the script to {}. It needs the Python package tensorrt", output_.string());
  return kExitPassed;
}

std::unique_ptr<Command> make_template_trt_network() {
  return std::make_unique<TemplateTrtNetwork>();
}

}  // namespace assay::cli

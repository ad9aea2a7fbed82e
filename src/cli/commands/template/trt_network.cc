// `assay template trt-network`: writes a Python script that creates a TensorRT network, from a model or from nothing.
#include <memory>
#include <string>
#include <vector>

#include "base/absolute_path.h"
#include "cli/commands/make_commands.h"
#include "cli/commands/template/convert_words.h"
#include "cli/context/command.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/script_file.h"
#include "cli/options/tensorrt_options.h"
#include "edit/mark_outputs.h"
#include "tensorrt/scripts/python_scripts.h"

namespace assay::cli {
namespace {

class TemplateTrtNetwork final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_script() const override { return output_.prints(); }

 private:
  [[nodiscard]] base::Expected<tensorrt::NetworkPlan> plan() const;
  // Changes the plan so that the script converts the model first, if options ask for that.
  base::Status convert(tensorrt::NetworkPlan& plan, Context& context) const;

  ModelOptions model_;
  OutputOptions marked_;
  TensorRtOptions settings_;
  RefusedOptions refused_;
  ScriptFile output_;
};

}  // namespace

void TemplateTrtNetwork::add_options(CLI::App& app) {
  model_.add_to(app, {.optional_file = true, .float16 = true});
  refused_.add_to(app, tensorflow_options());
  marked_.add_to(app, "onnx-");
  settings_.add_to(app, tensorrt::plugin_settings(), "TensorRT Plugin Loading");
  settings_.add_to(app, tensorrt::network_settings(), "TensorRT Network Loading");
  settings_.add_to(app, tensorrt::parser_settings(), "ONNX-TensorRT Parser Flags");
  output_.add_to(app)->required();
}

base::Expected<tensorrt::NetworkPlan> TemplateTrtNetwork::plan() const {
  if (!model_.is_network_script()) {
    if (!model_.file().empty()) ASSAY_TRY(model_.check());
    return tensorrt::plan_network(settings_.given(), model_.file());
  }
  ASSAY_TRY(model_.check_runnable(ModelOptions::Takes::scripts));
  const std::string file = tensorrt::absolute_path(model_.file());
  const std::string function = model_.function().empty() ? "load_network" : model_.function();
  return tensorrt::plan_scripted_network(settings_.given(), {file, function});
}

base::Status TemplateTrtNetwork::convert(tensorrt::NetworkPlan& plan, Context& context) const {
  const bool marks = marked_.given();
  if (model_.file().empty() || model_.is_network_script()) {
    if (!marks && !model_.wants_float16()) return {};
    return base::fail(base::ErrorKind::invalid_input, "there is no ONNX model to change",
                      model_.wants_float16() ? "--fp-to-fp16" : marked_.first_given(), "Give a model, or leave it out");
  }
  ASSAY_ASSIGN(const model::Model model, model_.load_as_it_is());
  std::vector<std::string> outputs;
  if (marks) {
    ASSAY_ASSIGN(const edit::MarkOptions options, marked_.options());
    ASSAY_ASSIGN(outputs, edit::choose_outputs(model, options, context.log));
  }
  if (marks || model_.wants_float16()) plan.convert = convert_words(model_, outputs);
  return {};
}

base::Expected<int> TemplateTrtNetwork::run(Context& context) {
  ASSAY_TRY(refused_.check());
  ASSAY_ASSIGN(tensorrt::NetworkPlan plan, this->plan());
  if (!model_.external_data_dir().empty()) {
    plan.parsed_as = (base::absolute_path(model_.external_data_dir()) / "model.onnx").string();
  }
  ASSAY_TRY(convert(plan, context));
  const std::string needs =
      std::string("It needs the Python package tensorrt") + (plan.convert.empty() ? "" : ", and the command assay");
  ASSAY_TRY(output_.save(tensorrt::network_script(plan), "script", needs, {{"the model", model_.file()}}, context));
  return kExitPassed;
}

std::unique_ptr<Command> make_template_trt_network() {
  return std::make_unique<TemplateTrtNetwork>();
}

}  // namespace assay::cli

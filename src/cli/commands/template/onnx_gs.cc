// `assay template onnx-gs`: writes a Python script that edits the model with ONNX-GraphSurgeon.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "base/absolute_path.h"
#include "cli/commands/make_commands.h"
#include "cli/commands/template/convert_words.h"
#include "cli/context/command.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/options/script_file.h"
#include "edit/mark_outputs.h"
#include "model/save.h"
#include "model/serialize.h"
#include "report/graphsurgeon_script.h"

namespace assay::cli {
namespace {

class TemplateOnnxGs final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_script() const override { return output_.prints(); }

 private:
  ModelOptions model_;
  OutputOptions marked_;
  ScriptFile output_;
};

// "/models/net.onnx" -> "/models/net_updated.onnx"
std::string updated(const std::filesystem::path& model) {
  return (model.parent_path() / (model.stem().string() + "_updated" + model.extension().string())).string();
}

// Returns whether the model will be too large for one file, even if the script changes it a little.
base::Expected<bool> is_large(const model::Model& model) {
  constexpr std::uint64_t kChanges = 1 << 26;
  ASSAY_ASSIGN(const std::uint64_t bytes, model::inline_bytes(model));
  return bytes > model::kLargestFile - kChanges;
}

}  // namespace

void TemplateOnnxGs::add_options(CLI::App& app) {
  model_.add_to(
      app, {.model_type = false, .input_shapes = true, .inference = ModelOptions::Inference::opt_in, .float16 = true});
  app.get_option("--input-shapes")->description("Accepted without effect: the script doesn't run the model");
  marked_.add_to(app, "onnx-");
  output_.add_to(app)->required();
}

base::Expected<int> TemplateOnnxGs::run(Context& context) {
  ASSAY_ASSIGN(const auto shapes, model_.input_shapes());
  if (!shapes.empty()) {
    context.log.warning("--input-shapes has no effect here: the script doesn't run the model");
  }
  ASSAY_ASSIGN(const edit::MarkOptions marked, marked_.options());
  ASSAY_ASSIGN(model::Model model, model_.load_as_it_is());
  model_.infer_shapes(model, context.log);
  report::GraphSurgeonScript script;
  // Absolute paths, so that the script runs in any folder.
  script.model = base::absolute_path(model_.file()).string();
  script.result = updated(script.model);
  if (const std::string& folder = model_.external_data_dir(); !folder.empty()) {
    script.external_data_dir = base::absolute_path(folder).string();
  }
  script.load_external_data = !model_.ignores_external_data();
  script.infer_shapes = model_.wants_inference();
  ASSAY_ASSIGN(script.save_external_data, is_large(model));
  if (!marked.empty()) {
    ASSAY_ASSIGN(script.outputs, edit::choose_outputs(model, marked, context.log));
  }
  if (model_.wants_float16()) script.convert = convert_words(model_, std::exchange(script.outputs, {}));
  ASSAY_TRY(output_.save(report::python_text(script), "script", "Running it writes " + script.result,
                         {{"the model", model_.file()}}, context));
  return kExitPassed;
}

std::unique_ptr<Command> make_template_onnx_gs() {
  return std::make_unique<TemplateOnnxGs>();
}

}  // namespace assay::cli

// `assay surgeon extract`: cuts a part out of a model.
#include <memory>
#include <string>
#include <vector>

#include "base/counted.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/tool_engine_options.h"
#include "cli/parse/values.h"
#include "cli/steps/surgeon_setup.h"
#include "surgeon/extract.h"

namespace assay::cli {
namespace {

class SurgeonExtract final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  [[nodiscard]] base::Expected<surgeon::ExtractOptions> extract_options() const;

  ModelOptions model_;
  DataLoaderOptions loader_;
  ModelSaveOptions saving_;
  ToolEngineOptions engine_;
  CLI::Option* given_inputs_ = nullptr;  // owned by the App, which outlives the command's run
  CLI::Option* given_outputs_ = nullptr;
  std::vector<std::string> inputs_;
  std::vector<std::string> outputs_;
};

std::vector<surgeon::Boundary> boundaries(const std::vector<Meta>& metas) {
  std::vector<surgeon::Boundary> result;
  for (const Meta& meta : metas) result.push_back({meta.name, meta.shape, meta.type});
  return result;
}

}  // namespace

void SurgeonExtract::add_options(CLI::App& app) {
  model_.add_to(app, {.model_type = false,
                      .model_input_shapes = true,
                      .inference = ModelOptions::Inference::opt_in,
                      .fallback_inference = true,
                      .float16 = true});
  given_inputs_ =
      app.add_option("--inputs", inputs_,
                     "Set the inputs of the part, name:[1,3,224,224]:float32, with auto for a shape or type to "
                     "infer; without values: no inputs (default: the model's inputs)")
          ->option_text("NAME:SHAPE:TYPE")
          ->expected(0, -1);
  given_outputs_ =
      app.add_option("--outputs", outputs_,
                     "Set the outputs of the part, name:float32 or name:auto (default: the model's outputs)")
          ->option_text("NAME:TYPE")
          ->expected(1, -1);
  saving_.add_to(app, ModelSaveOptions::Output::required);
  loader_.add_to(app, DataLoaderOptions::Runs::once);
  engine_.add_to(app);
}

base::Expected<surgeon::ExtractOptions> SurgeonExtract::extract_options() const {
  surgeon::ExtractOptions options;
  if (given_inputs_->count() > 0) {
    std::vector<std::string> inputs = inputs_;
    std::erase(inputs, "");  // the parser's form of an option without values
    ASSAY_ASSIGN(const std::vector<Meta> metas, parse_meta(inputs, MetaForm::name_shape_type, "--inputs"));
    options.inputs = boundaries(metas);
  }
  if (given_outputs_->count() > 0) {
    ASSAY_ASSIGN(const std::vector<Meta> metas, parse_meta(outputs_, MetaForm::name_type, "--outputs"));
    options.outputs = boundaries(metas);
  }
  options.run_for_shapes = model_.force_fallback_inference();
  return options;
}

base::Expected<int> SurgeonExtract::run(Context& context) {
  ASSAY_TRY(saving_.check());
  ASSAY_TRY(loader_.check());
  ASSAY_ASSIGN(const surgeon::ExtractOptions options, extract_options());
  ASSAY_ASSIGN(auto shapes, model_.input_shapes());
  const surgeon::Engine engine = surgeon_engine(engine_, context);
  ASSAY_ASSIGN(const model::Model model, model_.load(context.log));
  const bool sets_shapes = !shapes.empty();
  const surgeon::MakeFeeds feeds = first_inputs(loader_, std::move(shapes), "--model-input-shapes", context);
  bool ran = false;
  const surgeon::FindShapes find_shapes = [&](const std::vector<std::string>& tensors) {
    ran = true;
    return surgeon::shapes_by_running(model, tensors, feeds, engine, context.log);
  };
  ASSAY_ASSIGN(const model::Model part, surgeon::extract(model, options, find_shapes, context.log));
  if (!ran) {
    constexpr auto kReason = ": the types and shapes are known without running the model";
    loader_.warn_of_unused(kReason, context.log);
    if (sets_shapes) context.log.warning("--model-input-shapes has no effect{}", kReason);
  }
  context.log.info("Kept {} of {}", part.graph().node_size(), base::counted(model.graph().node_size(), "node"));
  ASSAY_TRY(saving_.save(part, context.log));
  return kExitPassed;
}

std::unique_ptr<Command> make_surgeon_extract() {
  return std::make_unique<SurgeonExtract>();
}

}  // namespace assay::cli

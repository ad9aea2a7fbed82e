// `assay surgeon weight-reconstruct`: fills emptied weights with made-up values.
#include <memory>

#include "base/counted.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "surgeon/weights/reconstruct_weights.h"

namespace assay::cli {
namespace {

class SurgeonWeightReconstruct final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  ModelOptions model_;
  ModelSaveOptions saving_;
};

}  // namespace

void SurgeonWeightReconstruct::add_options(CLI::App& app) {
  model_.add_to(app, {.model_type = false, .float16 = true});
  saving_.add_to(app, ModelSaveOptions::Output::required);
}

base::Expected<int> SurgeonWeightReconstruct::run(Context& context) {
  ASSAY_TRY(saving_.check());
  ASSAY_ASSIGN(model::Model model, model_.load(context.log));
  ASSAY_ASSIGN(const int filled, surgeon::reconstruct_weights(model, context.log, context.stop));
  if (filled == 0) {
    context.log.warning("The model has no weights that `surgeon weight-strip` has emptied, so it is saved unchanged");
  } else {
    context.log.info("Filled {} with made-up values", base::counted(filled, "weight"));
  }
  ASSAY_TRY(saving_.save(model, context.log));
  return kExitPassed;
}

std::unique_ptr<Command> make_surgeon_weight_reconstruct() {
  return std::make_unique<SurgeonWeightReconstruct>();
}

}  // namespace assay::cli

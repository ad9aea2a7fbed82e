// `assay surgeon prune`: makes weights 2:4 sparse.
#include <memory>
#include <string>
#include <vector>

#include "base/counted.h"
#include "base/strings.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "surgeon/weights/prune_weights.h"

namespace assay::cli {
namespace {

class SurgeonPrune final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  ModelOptions model_;
  ModelSaveOptions saving_;
};

}  // namespace

void SurgeonPrune::add_options(CLI::App& app) {
  model_.add_to(app, {.model_type = false, .float16 = true});
  saving_.add_to(app, ModelSaveOptions::Output::required);
}

base::Expected<int> SurgeonPrune::run(Context& context) {
  ASSAY_TRY(saving_.check());
  ASSAY_ASSIGN(model::Model model, model_.load(context.log));
  ASSAY_ASSIGN(const surgeon::PrunedWeights result, surgeon::prune_weights(model, context.stop));
  if (!result.stored_sparse.empty()) {
    context.log.warning("Not pruned, since they are sparse initializers: {}", base::join(result.stored_sparse, ", "));
  }
  if (result.pruned.empty()) {
    context.log.warning(
        "No weight can be pruned. Only dense initializers of type float32, float16 or bfloat16 can be, if a MatMul, "
        "Gemm or Conv outside of bodies sums over an axis of them whose length is a multiple of 4. `assay surgeon "
        "sanitize --fold-constants` turns Constant nodes into initializers");
  } else {
    context.log.info("Pruned {}; the model's results are no longer right",
                     base::counted(result.pruned.size(), "weight"));
    context.log.verbose("Pruned: {}", base::join(result.pruned, ", "));
  }
  ASSAY_TRY(saving_.save(model, context.log));
  return kExitPassed;
}

std::unique_ptr<Command> make_surgeon_prune() {
  return std::make_unique<SurgeonPrune>();
}

}  // namespace assay::cli

#include "cli/commands/inspect/sparsity.h"

#include <fmt/ostream.h>

#include "inspect/sparsity.h"

namespace assay::cli {

void InspectSparsity::add_options(CLI::App& app) {
  model_.add_to(app, {.model_type = false});
  format_.add_to(app);
}

base::Expected<int> InspectSparsity::run(Context& context) {
  ASSAY_ASSIGN(const model::Model model, model_.load(context.log));
  if (format_.json()) {
    ASSAY_ASSIGN(const std::string json, inspect::sparsity_json(model));
    fmt::print(context.out, "{}\n", json);
    return kExitPassed;
  }
  ASSAY_ASSIGN(const inspect::SparsityTotals totals,
               inspect::measure_sparsity(model, [&](const inspect::WeightSparsity& weight) {
                 context.log.info("{}", inspect::sparsity_text(weight));
               }));
  context.log.info("2:4 sparse weights: {} of {} that are eligible", totals.sparse, totals.eligible);
  return kExitPassed;
}

}  // namespace assay::cli

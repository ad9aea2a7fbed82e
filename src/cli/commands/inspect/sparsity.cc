// `assay inspect sparsity`: shows which weights have the 2:4 structure that sparse kernels need.
#include <fmt/ostream.h>

#include <memory>

#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "inspect/sparsity.h"

namespace assay::cli {
namespace {

class InspectSparsity final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  ModelOptions model_;
  FormatOption format_;
};

}  // namespace

void InspectSparsity::add_options(CLI::App& app) {
  model_.add_to(app, {.model_type = false, .float16 = true});
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

std::unique_ptr<Command> make_inspect_sparsity() {
  return std::make_unique<InspectSparsity>();
}

}  // namespace assay::cli

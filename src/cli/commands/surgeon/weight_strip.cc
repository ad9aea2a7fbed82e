// `assay surgeon weight-strip`: empties the weights of a model.
#include <fmt/format.h>

#include <memory>
#include <set>
#include <string>

#include "base/counted.h"
#include "base/files.h"
#include "base/strings.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "surgeon/weights/strip_weights.h"

namespace assay::cli {
namespace {

class SurgeonWeightStrip final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  ModelOptions model_;
  ModelSaveOptions saving_;
  std::string exclude_list_;
};

base::Expected<std::set<std::string>> read_names(const std::string& path) {
  std::set<std::string> names;
  if (path.empty()) return names;
  auto text = base::read_file(path);
  if (!text) return base::fail(std::move(text).error().within("--exclude-list"));
  for (const std::string& line : base::split(*text, '\n')) {
    const std::string_view name = base::trim(line);
    if (!name.empty()) names.emplace(name);
  }
  return names;
}

}  // namespace

void SurgeonWeightStrip::add_options(CLI::App& app) {
  model_.add_to(app, {.model_type = false, .float16 = true});
  app.add_option("--exclude-list", exclude_list_, "Keep the weights that this text file names, one per line")
      ->option_text("FILE")
      ->group("Weight Stripping");
  saving_.add_to(app, ModelSaveOptions::Output::required);
}

base::Expected<int> SurgeonWeightStrip::run(Context& context) {
  ASSAY_TRY(saving_.check());
  ASSAY_ASSIGN(const std::set<std::string> excluded, read_names(exclude_list_));
  ASSAY_ASSIGN(model::Model model, model_.load(context.log));
  ASSAY_ASSIGN(const surgeon::StrippedWeights result, surgeon::strip_weights(model, excluded, context.log));
  if (!result.not_found.empty()) {
    context.log.warning("--exclude-list names {} that the model doesn't have as weights: {}",
                        result.not_found.size() == 1 ? "a tensor" : "tensors", base::join(result.not_found, ", "));
  }
  if (result.in_constants > 0) {
    context.log.warning("Weights in {} stay; `assay surgeon sanitize --fold-constants` turns them into initializers",
                        base::counted(result.in_constants, "Constant node"));
  }
  if (result.stored_sparse > 0) {
    context.log.warning("{} stay{}, since only dense weights can be emptied",
                        base::counted(result.stored_sparse, "sparse initializer"),
                        result.stored_sparse == 1 ? "s" : "");
  }
  context.log.info("Emptied {} ({}), {} of them with 2:4 sparsity", base::counted(result.stripped, "weight"),
                   base::format_bytes(result.bytes), result.sparse);
  ASSAY_TRY(saving_.save(model, context.log));
  return kExitPassed;
}

std::unique_ptr<Command> make_surgeon_weight_strip() {
  return std::make_unique<SurgeonWeightStrip>();
}

}  // namespace assay::cli

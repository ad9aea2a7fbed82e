// `assay template shard-hints`: writes hints for `multi-device shard`.
#include <filesystem>
#include <memory>

#include "base/counted.h"
#include "base/files.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/options/check_paths.h"
#include "cli/options/model_options.h"
#include "cli/options/output_file.h"
#include "cli/options/shard_options.h"

namespace assay::cli {
namespace {

class TemplateShardHints final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  ModelOptions model_;
  ShardOptions shards_;
  std::filesystem::path output_;
};

}  // namespace

void TemplateShardHints::add_options(CLI::App& app) {
  model_.add_to(app, {.model_type = false, .float16 = true});
  add_output(app, output_, "Write the hints to this file, as JSON")->required();
  shards_.add_to(app);
}

base::Expected<int> TemplateShardHints::run(Context& context) {
  ASSAY_TRY(check_paths({{"-o", output_.string()}}, {{"the model", model_.file()}}));
  ASSAY_ASSIGN(const shard::Proposal proposal, shards_.proposal());
  ASSAY_ASSIGN(const model::Model model, model_.load(context.log));
  const shard::ShardHints hints = shard::propose_hints(model, proposal);
  if (hints.layers.empty()) {
    context.log.warning("The model has no attention layer of the form MatMul, Softmax, MatMul");
  }
  ASSAY_TRY(base::write_file(output_, shard::to_json(hints)));
  context.log.info("Saved hints for {} to {}", base::counted(hints.layers.size(), "attention layer"), output_.string());
  return kExitPassed;
}

std::unique_ptr<Command> make_template_shard_hints() {
  return std::make_unique<TemplateShardHints>();
}

}  // namespace assay::cli

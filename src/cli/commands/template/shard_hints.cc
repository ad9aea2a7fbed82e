#include "cli/commands/template/shard_hints.h"

#include "base/counted.h"
#include "base/files.h"

namespace assay::cli {

void TemplateShardHints::add_options(CLI::App& app) {
  model_.add_to(app, {.model_type = false, .float16 = true});
  app.add_option("-o,--output", output_, "Write the hints to this file, as JSON")->option_text("FILE")->required();
  shards_.add_to(app);
}

base::Expected<int> TemplateShardHints::run(Context& context) {
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

}  // namespace assay::cli

// `assay multi-device shard`: inserts the collective nodes with which a model runs on several devices.
#include <memory>
#include <string>

#include "base/counted.h"
#include "base/files.h"
#include "cli/command.h"
#include "cli/commands/make_commands.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/shard_options.h"
#include "cli/options/validators.h"
#include "shard/shard_model.h"

namespace assay::cli {
namespace {

class MultiDeviceShard final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  [[nodiscard]] base::Expected<shard::ShardHints> hints(const model::Model& model, Context& context) const;

  ModelOptions model_;
  ModelSaveOptions saving_;
  ShardOptions shards_;
  std::string hints_file_;
  bool one_shot_ = false;
};

}  // namespace

void MultiDeviceShard::add_options(CLI::App& app) {
  model_.add_to(app, {.model_type = false, .inference = ModelOptions::Inference::opt_in, .float16 = true});
  app.add_option("-s,--hint", hints_file_, "Shard as this file says, which `template shard-hints` writes")
      ->option_text("FILE")
      ->check(readable_file());
  app.add_flag("--one-shot", one_shot_, "Create the hints from the options of Shard Hints, and use them at once")
      ->excludes("--hint");
  saving_.add_to(app, ModelSaveOptions::Output::required);
  shards_.add_to(app);
  app.parse_complete_callback([this] {
    if (!one_shot_ && hints_file_.empty()) throw CLI::RequiredError("--hint FILE or --one-shot");
  });
}

base::Expected<shard::ShardHints> MultiDeviceShard::hints(const model::Model& model, Context& context) const {
  ASSAY_ASSIGN(const shard::Proposal proposal, shards_.proposal());
  if (one_shot_) return shard::propose_hints(model, proposal);
  if (const std::string option = shards_.given(); !option.empty()) {
    context.log.warning("{} has no effect with a hints file", option);
  }
  ASSAY_ASSIGN(const std::string text, base::read_file(hints_file_));
  return shard::parse_hints(text, hints_file_);
}

base::Expected<int> MultiDeviceShard::run(Context& context) {
  ASSAY_TRY(saving_.check());
  ASSAY_ASSIGN(model::Model model, model_.load(context.log));
  ASSAY_ASSIGN(const shard::ShardHints hints, this->hints(model, context));
  if (hints.layers.empty())
    context.log.warning("{}",
                        one_shot_ ? "No attention layer was found in the model" : "The hints name no attention layer");
  const int before = model.graph().node_size();
  ASSAY_TRY(shard::shard_model(model, hints, shards_.form()));
  context.log.info("Inserted {} for {}", base::counted(model.graph().node_size() - before, "node"),
                   base::counted(hints.layers.size(), "attention layer"));
  ASSAY_TRY(saving_.save(model, context.log));
  return kExitPassed;
}

std::unique_ptr<Command> make_multi_device_shard() {
  return std::make_unique<MultiDeviceShard>();
}

}  // namespace assay::cli

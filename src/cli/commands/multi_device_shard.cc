// `assay multi-device shard`: inserts the collective nodes with which a model runs on several devices.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/counted.h"
#include "base/files.h"
#include "cli/commands/make_commands.h"
#include "cli/context/command.h"
#include "cli/context/print_json.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/shard_options.h"
#include "cli/options/validators.h"
#include "model/save.h"
#include "shard/shard_model.h"
#include "shard/tensor_parallel.h"

namespace assay::cli {
namespace {

class MultiDeviceShard final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  [[nodiscard]] base::Expected<shard::ShardHints> hints(const model::Model& model, Context& context) const;
  // The saved models.
  struct Sharded {
    std::string parallelism;
    std::vector<std::string> models = {};
    std::int64_t attention_layers = 0;
    std::int64_t mlps = 0;
    std::int64_t collectives = 0;  // nodes in each model
  };
  base::Expected<Sharded> split_sequence(model::Model model, const shard::ShardHints& hints, Context& context) const;
  base::Expected<Sharded> split_weights(const model::Model& model, const shard::Collective& collective,
                                        Context& context) const;

  ModelOptions model_;
  ModelSaveOptions saving_;
  ShardOptions shards_;
  FormatOption format_;
  std::string hints_file_;
  bool one_shot_ = false;
};

std::int64_t count_collectives(const model::Model& model) {
  return std::ranges::count(model.graph().node(), "DistCollective", &onnx::NodeProto::op_type);
}

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
  format_.add_to(app);
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

base::Expected<MultiDeviceShard::Sharded> MultiDeviceShard::split_sequence(model::Model model,
                                                                           const shard::ShardHints& hints,
                                                                           Context& context) const {
  if (hints.layers.empty()) {
    context.log.warning("{}",
                        one_shot_ ? "No attention layer was found in the model" : "The hints name no attention layer");
  }
  ASSAY_TRY(shard::shard_model(model, hints, shards_.form()));
  const std::int64_t collectives = count_collectives(model);
  context.log.info("Inserted {} for {}", base::counted(collectives, "collective node"),
                   base::counted(hints.layers.size(), "attention layer"));
  ASSAY_TRY(saving_.save(model, context.log));
  return Sharded{.parallelism = hints.parallelism,
                 .models = {saving_.output()},
                 .attention_layers = std::ssize(hints.layers),
                 .collectives = collectives};
}

base::Expected<MultiDeviceShard::Sharded> MultiDeviceShard::split_weights(const model::Model& model,
                                                                          const shard::Collective& collective,
                                                                          Context& context) const {
  ASSAY_ASSIGN(model::SaveOptions saving, saving_.save_options());
  if (!saving.all_tensors_to_one_file) {
    return base::fail(base::ErrorKind::unsupported, "each device's weights are in one file",
                      "--no-save-all-tensors-to-one-file", "Leave it out, or use --parallelism CP");
  }
  if (saving.external_data_path && !saving.external_data_path->empty()) {
    return base::fail(base::ErrorKind::invalid_input, "each device's weights are in a file named after its model",
                      "--save-external-data", "Leave out the name");
  }
  ASSAY_ASSIGN(const std::vector<shard::ParallelLayer> layers,
               shard::find_parallel_layers(model::GraphView(model.graph())));
  if (layers.empty()) {
    return base::fail(
        base::ErrorKind::unsupported, "the model has no layer whose weights could be split", "--parallelism",
        "TP splits AttentionPlugin, as TensorRT Edge-LLM exports it, and MLPs with a SiLU gate; CP splits "
        "attention of the form MatMul, Softmax, MatMul");
  }
  if (collective.rank_count == 1) context.log.warning("Nothing is split, because --nb-rank is 1");
  Sharded sharded{.parallelism = shard::kTensorParallel};
  const std::filesystem::path output = saving_.output();
  for (std::int64_t rank = 0; rank < collective.rank_count; ++rank) {
    ASSAY_ASSIGN(const model::Model of_rank, shard::model_of_rank(model, layers, collective, rank, context.stop));
    const std::string name = fmt::format("{}_tp{}_rank{}.onnx", output.stem().string(), collective.rank_count, rank);
    saving.external_data_path = name + ".data";
    const std::filesystem::path path = output.parent_path() / name;
    ASSAY_TRY(model::save(of_rank, path, saving, context.log));
    context.log.info("Saved the model of device {} to {}", rank, path.string());
    sharded.models.push_back(path.string());
    sharded.collectives = count_collectives(of_rank);
  }
  sharded.attention_layers =
      std::ranges::count_if(layers, [](const shard::ParallelLayer& layer) { return layer.attention != model::kNone; });
  sharded.mlps = std::ssize(layers) - sharded.attention_layers;
  context.log.info("Split {} and {} among {}", base::counted(sharded.attention_layers, "attention layer"),
                   base::counted(sharded.mlps, "MLP"), base::counted(collective.rank_count, "device"));
  return sharded;
}

base::Expected<int> MultiDeviceShard::run(Context& context) {
  ASSAY_TRY(saving_.check());
  ASSAY_ASSIGN(model::Model model, model_.load(context.log));
  ASSAY_ASSIGN(const shard::ShardHints hints, this->hints(model, context));
  const bool splits_weights = hints.parallelism == shard::kTensorParallel;
  ASSAY_ASSIGN(const Sharded sharded, splits_weights ? split_weights(model, hints.collective, context)
                                                     : split_sequence(std::move(model), hints, context));
  if (format_.json()) {
    print_json({{"parallelism", sharded.parallelism},
                {"models", sharded.models},
                {"attention_layers", sharded.attention_layers},
                {"mlps", sharded.mlps},
                {"collective_nodes", sharded.collectives}},
               context);
  }
  return kExitPassed;
}

std::unique_ptr<Command> make_multi_device_shard() {
  return std::make_unique<MultiDeviceShard>();
}

}  // namespace assay::cli

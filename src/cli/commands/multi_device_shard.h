// `assay multi-device shard`: inserts the collective nodes with which a model runs on several devices.
#pragma once

#include <string>

#include "cli/command.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/shard_options.h"

namespace assay::cli {

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

}  // namespace assay::cli

// `assay template shard-hints`: writes hints for `multi-device shard`.
#pragma once

#include <filesystem>

#include "cli/command.h"
#include "cli/options/model_options.h"
#include "cli/options/shard_options.h"

namespace assay::cli {

class TemplateShardHints final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  ModelOptions model_;
  ShardOptions shards_;
  std::filesystem::path output_;
};

}  // namespace assay::cli

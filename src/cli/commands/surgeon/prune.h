// `assay surgeon prune`: makes weights 2:4 sparse.
#pragma once

#include "cli/command.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"

namespace assay::cli {

class SurgeonPrune final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  ModelOptions model_;
  ModelSaveOptions saving_;
};

}  // namespace assay::cli

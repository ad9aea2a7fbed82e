// `assay surgeon weight-reconstruct`: fills emptied weights with made-up values.
#pragma once

#include "cli/command.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"

namespace assay::cli {

class SurgeonWeightReconstruct final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  ModelOptions model_;
  ModelSaveOptions saving_;
};

}  // namespace assay::cli

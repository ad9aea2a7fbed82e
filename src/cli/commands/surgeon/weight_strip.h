// `assay surgeon weight-strip`: empties the weights of a model.
#pragma once

#include <string>

#include "cli/command.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"

namespace assay::cli {

class SurgeonWeightStrip final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  ModelOptions model_;
  ModelSaveOptions saving_;
  std::string exclude_list_;
};

}  // namespace assay::cli

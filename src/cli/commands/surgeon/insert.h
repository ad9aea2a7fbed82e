// `assay surgeon insert`: inserts one node into a model.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"

namespace assay::cli {

class SurgeonInsert final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  ModelOptions model_;
  ModelSaveOptions saving_;
  std::vector<std::string> inputs_;
  std::vector<std::string> outputs_;
  std::string op_;
  std::string name_;
  std::vector<std::string> attributes_;
};

}  // namespace assay::cli

// `assay surgeon extract`: cuts a part out of a model.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/tool_engine_options.h"
#include "surgeon/extract.h"

namespace assay::cli {

class SurgeonExtract final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  [[nodiscard]] base::Expected<surgeon::ExtractOptions> extract_options() const;

  ModelOptions model_;
  DataLoaderOptions loader_;
  ModelSaveOptions saving_;
  ToolEngineOptions engine_;
  CLI::Option* given_inputs_ = nullptr;  // owned by the App, which outlives the command's run
  CLI::Option* given_outputs_ = nullptr;
  std::vector<std::string> inputs_;
  std::vector<std::string> outputs_;
};

}  // namespace assay::cli

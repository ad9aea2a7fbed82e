// `assay check lint`: finds all independent defects of a model.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"
#include "cli/options/tool_engine_options.h"
#include "lint/report.h"

namespace assay::cli {

class CheckLint final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  base::Expected<lint::Report> lint(const model::Model& model, Context& context) const;

  ModelOptions model_;
  DataLoaderOptions loader_;
  ToolEngineOptions engine_;
  std::vector<std::string> providers_;
  std::string optimization_;
  std::string output_;
};

}  // namespace assay::cli

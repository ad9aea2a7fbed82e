// `assay surgeon sanitize`: folds constants, removes unused nodes, and sets shapes and outputs of a model.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/output_options.h"
#include "cli/options/tool_engine_options.h"
#include "surgeon/sanitize.h"

namespace assay::cli {

class SurgeonSanitize final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  void add_folding_options(CLI::App& app);
  [[nodiscard]] base::Expected<surgeon::FoldOptions> fold_options() const;
  [[nodiscard]] base::Expected<surgeon::SanitizeOptions> sanitize_options(Context& context) const;

  ModelOptions model_;
  DataLoaderOptions loader_;
  ModelSaveOptions saving_;
  ToolEngineOptions engine_;
  OutputOptions marks_;
  bool cleanup_ = false;
  bool toposort_ = false;
  std::vector<std::string> input_shapes_;
  std::vector<std::string> bounds_;
  bool fold_ = false;
  int passes_ = 0;
  std::string partitioning_;
  bool no_fold_shapes_ = false;
  bool no_inference_between_ = false;
  std::string size_threshold_;
  std::vector<CLI::Option*> folding_only_;  // owned by the App, which outlives the command's run
};

}  // namespace assay::cli

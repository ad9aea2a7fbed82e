// `assay run`: run a model in engines, compare what they give with each other and with saved results.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/mark_options.h"
#include "cli/options/model_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/save_options.h"
#include "compare/run_and_compare.h"

namespace assay::cli {

class Run final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;

 private:
  void add_run_options(CLI::App& app);
  [[nodiscard]] base::Status check(bool runs_engines) const;
  [[nodiscard]] base::Expected<worker::ModelSource> prepare_model(base::Log& log) const;
  [[nodiscard]] base::Expected<compare::RunPlan> make_plan() const;

  ModelOptions model_;
  SaveOptions saving_;
  MarkOptions marks_;
  EngineOptions engines_;
  DataLoaderOptions loader_;
  CompareOptions comparison_;
  RefusedOptions refused_;
  std::string save_onnx_;
  bool validate_ = false;
  bool sequential_ = false;
  std::vector<std::string> load_outputs_;
  int warm_up_ = 0;
  bool use_subprocess_ = false;
  std::string save_inputs_;
  CLI::Option* save_input_blob_ = nullptr;  // owned by the App, which outlives the command's run
  std::string input_blob_folder_;           // empty where the option came without a value
  std::string save_outputs_;
};

}  // namespace assay::cli

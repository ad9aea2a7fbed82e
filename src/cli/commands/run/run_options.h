// The options of `assay run`, and what follows from them before anything runs.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/run/gen_script_option.h"
#include "cli/commands/run/layer_options.h"
#include "cli/context/command.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/memory_budget_option.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/output_options.h"
#include "cli/options/refused_options.h"
#include "cli/options/report_option.h"
#include "cli/options/result_options.h"
#include "run/engine_runner.h"

namespace assay::cli {

struct RunOptions {
  void add_to(CLI::App& app);

  // Returns the engines. TensorRT's get the facts about the model that they need.
  [[nodiscard]] base::Expected<std::vector<run::EngineSetup>> engine_setups(const Installation& installation) const;
  // Checks that the options make sense together; `refused` is checked before. `setups`: those of engine_setups().
  [[nodiscard]] base::Status check(const std::vector<run::EngineSetup>& setups) const;
  [[nodiscard]] base::Status check_files() const;
  // Warns of each given option that has no effect because there is nothing to compare the outputs with.
  void warn_of_uncompared(base::Log& log) const;
  // Warns of each given option that says how engines run, for runs without engines.
  void warn_of_engine_options(base::Log& log) const;

  // Returns the folder of --save-input-blob; empty if it wasn't given.
  [[nodiscard]] std::string input_blobs() const;

  ModelOptions model;
  ModelSaveOptions saving;
  OutputOptions marks;
  EngineOptions engines;
  DataLoaderOptions loader;
  ComparisonOptions comparison;
  ResultOptions results;
  LayerOptions layers;
  ReportOption report{"run"};
  RefusedOptions refused;
  GenScriptOption script;
  MemoryBudgetOption memory_budget;
  std::string save_onnx;
  bool validate = false;
  int refused_code = 0;  // 0: not given
  bool sequential = false;
  std::vector<std::string> load_outputs;
  int warm_up = 0;
  std::string save_inputs;
  std::string save_outputs;

 private:
  void add_own(CLI::App& app);
  // Checks that no option changes or saves a model that isn't an ONNX model.
  [[nodiscard]] base::Status check_unchanged() const;

  const CLI::App* app_ = nullptr;  // outlives the command's run
  bool use_subprocess_ = false;
  CLI::Option* save_input_blob_ = nullptr;  // owned by the App, which outlives the command's run
  std::string input_blob_folder_;           // empty if the option was given without a value
};

}  // namespace assay::cli

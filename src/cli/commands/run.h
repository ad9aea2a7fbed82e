// `assay run`: runs a model in engines, and compares their outputs with each other and with saved results.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/commands/run/gen_script_option.h"
#include "cli/commands/run/layer_options.h"
#include "cli/commands/run/run_savers.h"
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
#include "model/model.h"
#include "run/make_windows.h"
#include "run/run_and_compare.h"

namespace assay::cli {

// A parsed command line of `assay run`, for code that does the same work without the command.
struct RunSettings {
  std::vector<run::EngineSetup> engines;
  std::unique_ptr<data::InputSource> inputs;
  std::vector<data::RunnerResults> saved;  // results to compare with
  compare::CompareOptions tolerances;
  bool validate = false;
  bool as_it_is = true;    // the model runs unchanged: no outputs marked, no shapes inferred
  bool by_element = true;  // outputs are compared unchanged: their shapes, and each element within tolerances
};

class Run final : public Command {
 public:
  // Parses a command line. `words` are those after `assay run`. The context must outlive the result. Errors: those of
  // the options.
  static base::Expected<RunSettings> settings(const std::vector<std::string>& words, Context& context);

  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return layers_.prints_json(); }
  [[nodiscard]] bool prints_script() const override { return script_.prints(); }

 private:
  void add_run_options(CLI::App& app);
  // Returns the engines. TensorRT's get the facts about the model that they need.
  [[nodiscard]] base::Expected<std::vector<run::EngineSetup>> engine_setups(const Installation& installation) const;
  [[nodiscard]] base::Status check(const std::vector<run::EngineSetup>& engines) const;
  // Checks that no option changes or saves a model that isn't an ONNX model.
  [[nodiscard]] base::Status check_unchanged() const;
  [[nodiscard]] base::Status check_files() const;
  // The model that engines run.
  struct Subject {
    worker::ModelSource source;             // empty if the model runs in windows and no engine needs all of it
    std::optional<model::Model> model;      // if the options change it, or it runs in windows
    std::vector<std::string> outputs;       // to be marked in it
    std::vector<run::LayerEngine> engines;  // that run it in windows; empty without windows
    [[nodiscard]] bool in_windows() const { return !engines.empty(); }
  };
  [[nodiscard]] base::Expected<Subject> prepare_model(const std::vector<run::EngineSetup>& setups,
                                                      base::Log& log) const;
  // Decides whether the model runs in windows: if several tensors are marked, in the model or by settings of TensorRT.
  base::Status plan_windows(const std::vector<run::EngineSetup>& setups, Subject& subject, Context& context) const;
  [[nodiscard]] base::Expected<run::RunPlan> make_plan() const;
  // Runs the engines, and compares them with each other and with saved results. Returns the exit status.
  base::Expected<int> run_setups(std::vector<run::EngineSetup> setups, run::RunPlan plan, Context& context) const;
  // Compares saved results with each other. Returns the exit status.
  base::Expected<int> run_saved(const run::RunPlan& plan, Context& context) const;
  // Returns the exit status of --refused-code if it was given and an engine failed, otherwise the explained error.
  base::Expected<int> end_with_error(base::Error error, const worker::ModelSource& source,
                                     const std::vector<run::EngineSetup>& setups, Context& context) const;
  base::Expected<LayerOptions::Outcome> run_windows(const std::vector<run::StoredResults>& saved,
                                                    const Subject& subject, const run::RunPlan& plan,
                                                    Context& context) const;
  // Runs the model as a whole, as opposed to windows.
  base::Expected<LayerOptions::Outcome> run_whole(const std::vector<run::EngineSetup>& setups,
                                                  const std::vector<run::StoredResults>& saved,
                                                  const worker::ModelSource& source, run::RunPlan plan,
                                                  Context& context) const;
  // Both return whether everything passed, and show the table of layers, after all files are complete: what is printed
  // for programs is either the results or an error.
  base::Expected<bool> run_engines(const std::vector<run::EngineSetup>& setups,
                                   const std::vector<run::StoredResults>& saved, Subject& subject, run::RunPlan plan,
                                   RunSavers& savers, Context& context) const;
  base::Expected<bool> compare_saved(const std::vector<run::StoredResults>& saved, run::RunPlan plan,
                                     Context& context) const;
  ModelOptions model_;
  ModelSaveOptions saving_;
  OutputOptions marks_;
  EngineOptions engines_;
  DataLoaderOptions loader_;
  ComparisonOptions comparison_;
  ResultOptions results_;
  LayerOptions layers_;
  ReportOption report_{"run"};
  RefusedOptions refused_;
  GenScriptOption script_;
  std::string save_onnx_;
  bool validate_ = false;
  int refused_code_ = 0;  // 0: not given
  bool sequential_ = false;
  std::vector<std::string> load_outputs_;
  int warm_up_ = 0;
  bool use_subprocess_ = false;
  std::string save_inputs_;
  CLI::Option* save_input_blob_ = nullptr;  // owned by the App, which outlives the command's run
  std::string input_blob_folder_;           // empty if the option was given without a value
  std::string save_outputs_;
  MemoryBudgetOption memory_budget_;
};

}  // namespace assay::cli

// `assay debug optimizers`: finds the optimisation or the property of an engine that changes a model's outputs.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/format_option.h"
#include "cli/options/model_options.h"
#include "cli/options/refused_options.h"
#include "run/run_and_compare.h"

namespace assay::cli {

class DebugOptimizers final : public Command {
 public:
  void add_options(CLI::App& app) override;
  base::Expected<int> run(Context& context) override;
  [[nodiscard]] bool prints_data() const override { return format_.json(); }

 private:
  [[nodiscard]] base::Expected<run::EngineSetup> engine(Context& context) const;
  base::Expected<int> find_optimizers(const run::EngineSetup& engine, const worker::ModelSource& model,
                                      run::RunPlan plan, Context& context) const;
  base::Expected<int> find_properties(const run::EngineSetup& engine, const worker::ModelSource& model,
                                      run::RunPlan plan, Context& context) const;
  template <class Findings>
  // `settings`: words that keep the engine from what was found; empty: nothing was found.
  int report(const Findings& found, bool differs, const std::vector<std::string>& settings, Context& context) const;

  ModelOptions model_;
  EngineOptions engines_;
  DataLoaderOptions loader_;
  ComparisonOptions comparison_;
  RefusedOptions refused_;
  CLI::App* app_ = nullptr;
  FormatOption format_;
};

}  // namespace assay::cli

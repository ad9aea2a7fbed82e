// `assay debug optimizers`: finds the optimisation or the property of an engine that changes a model's outputs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "blame/output_judge.h"
#include "cli/command.h"
#include "cli/options/check_options.h"
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
  [[nodiscard]] std::vector<std::string> remainder_option() const override { return CheckOptions::remainder_option(); }
  void set_remainder(std::vector<std::string> words) override { check_.set_command(std::move(words)); }

 private:
  [[nodiscard]] base::Expected<run::EngineSetup> engine(Context& context) const;
  // Returns a judge of the engine's settings, which compares outputs with those of `reference` or runs the check; the
  // check has to pass with the reference.
  base::Expected<blame::Judge> judge(const run::EngineSetup& reference, const worker::ModelSource& model,
                                     Context& context) const;
  base::Expected<int> find_optimizers(const run::EngineSetup& engine, const worker::ModelSource& model,
                                      Context& context) const;
  base::Expected<int> find_properties(const run::EngineSetup& engine, const worker::ModelSource& model,
                                      Context& context) const;
  template <class Findings>
  // `settings`: words that avoid the findings in a further run; empty if nothing was found.
  int report(const Findings& found, bool differs, const std::vector<std::string>& settings, Context& context) const;

  ModelOptions model_;
  EngineOptions engines_;
  DataLoaderOptions loader_;
  ComparisonOptions comparison_;
  RefusedOptions refused_;
  CheckOptions check_;
  std::filesystem::path artifact_ = "polygraphy_debug.onnx";
  CLI::App* app_ = nullptr;
  FormatOption format_;
};

}  // namespace assay::cli

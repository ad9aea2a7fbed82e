// The options of `debug precision`, and which of them go together.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

#include "base/error.h"
#include "blame/search_precision.h"
#include "cli/options/check_options.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/engine_options.h"
#include "cli/options/format_option.h"
#include "cli/options/iteration_options.h"
#include "cli/options/model_options.h"
#include "cli/options/model_save_options.h"
#include "cli/options/refused_options.h"
#include "run/engine_runner.h"

namespace assay::cli {

struct DebugPrecisionOptions {
  // `user_check`: the command's own, whose options are among these.
  void add_to(CLI::App& app, CheckOptions& user_check);

  // Checks that the options make sense together; `refused` is checked before. `setups`: those of `engines`.
  [[nodiscard]] base::Status check(const CheckOptions& user_check, const std::vector<run::EngineSetup>& setups) const;
  // Returns whether layers of a TensorRT network are searched, and not nodes of a model.
  [[nodiscard]] bool searches_layers(const std::vector<run::EngineSetup>& setups) const;
  // Returns the way to compare outputs without --compare.
  [[nodiscard]] std::string way_to_compare() const;
  // Returns how to search. Only bisect and linear begin at one end, so --dir chooses bisect.
  [[nodiscard]] blame::PrecisionOptions search() const;

  ModelOptions model;
  EngineOptions engines;
  IterationOptions iterations;
  DataLoaderOptions loader;
  ComparisonOptions comparison;
  ModelSaveOptions saving;
  RefusedOptions refused;
  FormatOption format;
  std::string precision = "float32";
  std::string quantized;  // the model after quantization; empty: the search is about float16

 private:
  [[nodiscard]] std::string mode() const;
  [[nodiscard]] base::Status check_precision(const std::vector<run::EngineSetup>& setups) const;
  [[nodiscard]] base::Status check_judges(const CheckOptions& user_check,
                                          const std::vector<run::EngineSetup>& setups) const;
  // Options that have no effect if an engine judges by its outputs, or if it doesn't.
  [[nodiscard]] base::Status refuse_options_of_check() const;
  [[nodiscard]] base::Status refuse_options_of_comparison() const;

  CLI::App* app_ = nullptr;  // outlives the command's run
  std::string mode_ = "minimal";
  std::string direction_ = "forward";
};

}  // namespace assay::cli

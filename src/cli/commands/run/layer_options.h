// Options for the table of layers after a comparison, and for the JSON output of `assay run`.
#pragma once

#include <CLI/App.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/context/command.h"
#include "cli/options/format_option.h"
#include "compare/layer_table.h"
#include "model/model.h"
#include "run/run_and_compare.h"

namespace assay::cli {

class LayerOptions {
 public:
  void add_to(CLI::App& app);

  [[nodiscard]] bool prints_json() const { return format_.json(); }
  // Returns whether an option needs the table.
  [[nodiscard]] bool given() const { return prints_json() || !layers_.empty(); }
  // Makes the table record what the plan compares. The table must outlive the run.
  static void connect(run::RunPlan& plan, compare::LayerTable& table);

  struct Outcome {
    bool passed = false;
    std::size_t windows = 1;
    std::vector<std::string> without;  // tensors for which no value was available
    // Timings of the engines that ran whole iterations, by runner, in running order.
    std::vector<std::pair<std::string, run::TimingSummary>> timings{};
  };
  // Logs the table, and prints JSON if requested. `model` may be null. `next`: the hint to print if layers differ.
  base::Status report(const compare::LayerTable& table, const model::Model* model, const Outcome& outcome,
                      const std::string& next, Context& context) const;

 private:
  std::string layers_;
  FormatOption format_;
};

}  // namespace assay::cli

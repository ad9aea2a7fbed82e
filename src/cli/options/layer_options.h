// The table of layers behind a comparison, and what `assay run` prints for programs.
#pragma once

#include <CLI/App.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "compare/layer_report.h"
#include "compare/layer_table.h"
#include "model/model.h"
#include "run/run_and_compare.h"

namespace assay::cli {

class LayerOptions {
 public:
  void add_to(CLI::App& app);

  [[nodiscard]] bool prints_json() const { return format_ == "json"; }
  // Whether the table has to be made: `many`, several tensors are compared that are not simply the model's outputs.
  [[nodiscard]] bool wanted(bool many) const { return prints_json() || !layers_.empty() || many; }
  // Has the table learn what the plan compares; it must outlive the run.
  static void connect(run::RunPlan& plan, compare::LayerTable& table);

  struct Outcome {
    bool passed = false;
    std::size_t windows = 1;
    std::vector<std::string> without;  // tensors that could not be had
    // Of engines that ran whole iterations, in running order.
    std::vector<std::pair<std::string, run::TimingSummary>> timings{};
  };
  // `model`: may be null. `next`: what to do where layers differ.
  base::Status report(const compare::LayerTable& table, const model::Model* model, const Outcome& outcome,
                      const std::string& next, Context& context) const;

 private:
  std::string layers_;
  std::string format_ = "text";
};

}  // namespace assay::cli

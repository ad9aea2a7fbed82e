// What becomes of comparisons besides their verdict: means over iterations, a user's scripts, saved metrics, pictures.
// The rest of the peer's groups "Comparator Comparisons" and "Comparison Function: simple".
#pragma once

#include <CLI/App.hpp>

#include <memory>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "compare/error_pictures.h"
#include "run/run_and_compare.h"

namespace assay::cli {

class ResultOptions {
 public:
  void add_to(CLI::App& app);
  // Sets what the options ask for. The plan refers to this, to the stop and to the log. Errors: invalid_input for
  // options that do not go together.
  base::Status apply(run::RunPlan& plan, const base::Stop& stop, base::Log& log);

  // Of --save-accuracy-results; or empty.
  [[nodiscard]] const std::string& save_accuracy() const { return save_accuracy_; }

 private:
  bool average_ = false;
  std::string compare_script_;
  std::string postprocess_script_;
  std::string save_accuracy_;
  std::string heat_map_folder_;
  std::string plot_folder_;
  bool show_heat_maps_ = false;
  bool show_plots_ = false;
  std::unique_ptr<compare::ErrorPictures> pictures_;
};

// Whether metrics of these ways of comparing can be judged by their means. Errors: invalid_input saying why not.
base::Status check_average(const compare::ComparePlan& plan);

}  // namespace assay::cli

// Options for comparisons beyond the verdict: means over iterations, the user's scripts, saved metrics and pictures.
// The rest of Polygraphy's groups "Comparator Comparisons" and "Comparison Function: simple".
#pragma once

#include <CLI/App.hpp>

#include <memory>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "cli/context/command.h"
#include "compare/error_pictures.h"
#include "run/run_and_compare.h"

namespace assay::cli {

class ResultOptions {
 public:
  void add_to(CLI::App& app);
  // Applies the options to the plan, and warns of given options that a script replaces. The plan refers to this object
  // and the context, which must outlive it. Errors: invalid_input for options that exclude each other; those of
  // script_python(), and of creating the files that options name.
  base::Status apply(run::RunPlan& plan, const Context& context);

  // Returns whether --compare-func-script replaces all other ways of comparing.
  [[nodiscard]] bool compares_by_script() const { return !compare_script_.empty(); }
  // Returns whether a script of the user takes part in comparisons.
  [[nodiscard]] bool uses_scripts() const { return compares_by_script() || !postprocess_script_.empty(); }
  // Returns the path of --save-accuracy-results, or empty.
  [[nodiscard]] const std::string& save_accuracy() const { return save_accuracy_; }

 private:
  void warn_of_replaced(base::Log& log) const;
  // Sets the scripts of the plan.
  base::Status apply_scripts(run::RunPlan& plan, const Context& context) const;
  // Lets the plan draw errors if options ask for it. Warns of them if nothing that is drawn is measured.
  base::Status begin_pictures(compare::ComparePlan& plan, base::Log& log);

  const CLI::App* app_ = nullptr;  // outlives the command's run
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

// Checks that the metrics of these ways of comparing have means to judge. Errors: invalid_input with the reason.
base::Status check_average(const compare::ComparePlan& plan);

}  // namespace assay::cli

// Options for judging outputs: Polygraphy's groups "Comparator Comparisons", "Comparison Function: ..." and "Comparator
// Postprocessing".
#pragma once

#include <CLI/App.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/options/refused_options.h"
#include "compare/compare_outputs.h"
#include "compare/per_output.h"
#include "run/take_top.h"
#include "stats/equal_specials.h"

namespace assay::cli {

class ComparisonOptions {
 public:
  static constexpr auto kGroup = "Comparison";  // the titles of all groups of these options begin with it
  static constexpr auto kSimpleGroup = "Comparison: simple";
  // Selects whether outputs are compared, or metrics of earlier comparisons. For metrics, options that act on outputs
  // are refused.
  enum class Subject { outputs, metrics };
  // `defaults`: what plan() will get; the help names them.
  void add_to(CLI::App& app, Subject subject = Subject::outputs, const compare::CompareOptions& defaults = {});

  // Returns the ways of comparing, with `defaults` for options that weren't given, and `way` if --compare wasn't.
  // Errors: invalid_input for invalid values; unsupported for refused options.
  [[nodiscard]] base::Expected<compare::ComparePlan> plan(const compare::CompareOptions& defaults = {},
                                                          const std::string& way = "simple") const;
  [[nodiscard]] base::Expected<compare::PerOutput<run::TopOptions>> postprocess() const;
  // For commands that compare tensors inside the model, unchanged. Errors: unsupported if --postprocess or --compare
  // perceptual_metrics was given.
  [[nodiscard]] base::Status check_unchanged() const;
  // Warns of each option that was given for a way of comparing that isn't used.
  void warn_of_unused(const compare::ComparePlan& plan, base::Log& log) const;

 private:
  using Values = std::vector<std::string>;
  void add_for_outputs(CLI::App& app);
  void add_settings(CLI::App& app, Subject subject, const compare::CompareOptions& defaults);

  RefusedOptions refused_;
  bool no_shape_check_ = false;
  bool fail_fast_ = false;
  Values functions_;
  std::map<std::string_view, Values> settings_;  // by compare::Setting::name
  stats::EqualSpecials equal_;
  Values postprocess_;
};

}  // namespace assay::cli

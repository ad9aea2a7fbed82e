// Options of `debug reduce` that control how to search and when to stop.
#pragma once

#include <CLI/App.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "reduce/judge/signature.h"
#include "reduce/reduce_model.h"

namespace assay::cli {

class ReductionOptions {
 public:
  void add_to(CLI::App& app);

  // Returns the options given on the command line that only minimal mode has.
  [[nodiscard]] std::vector<std::string> given_for_minimal() const;
  [[nodiscard]] bool lists_passes() const { return list_passes_; }
  // Returns all passes with a summary of each, one per line.
  [[nodiscard]] static std::string pass_list();

  // Errors: invalid_input for a ratio without repeats. Doesn't set `values`, whose default depends on the task, and
  // what belongs to other groups of options (mode, shapes).
  [[nodiscard]] base::Expected<reduce::ReduceOptions> reduce_options() const;
  // The default depends on the mode: Polygraphy's modes take any failure.
  [[nodiscard]] reduce::SameFailure same_failure(reduce::Mode mode) const;
  // Returns --values, or nothing if it isn't given.
  [[nodiscard]] std::optional<reduce::CutValues> values() const;
  [[nodiscard]] std::optional<double> time_limit_s() const;
  // Returns the path of the journal for a result at `output`, or nothing if neither is given.
  [[nodiscard]] std::optional<std::filesystem::path> journal(const std::filesystem::path& output) const;
  // The user named the journal, so it is kept.
  [[nodiscard]] bool keeps_journal() const { return !journal_.empty(); }

 private:
  void add_passes_to(CLI::App& app);
  CLI::App* app_ = nullptr;
  int until_nodes_ = 0;
  int max_checks_ = 0;
  double time_limit_s_ = 0;
  std::string values_ = "auto";
  std::string same_failure_;  // empty: not given
  int repeat_ = 1;
  double fail_ratio_ = 0;
  std::vector<std::string> passes_;
  std::vector<std::string> skip_passes_;
  bool list_passes_ = false;
  bool thorough_ = false;
  std::string journal_;
};

}  // namespace assay::cli

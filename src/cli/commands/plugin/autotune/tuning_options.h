// The options of `plugin autotune` for the search, for its measurements, and for what both leave behind.
#pragma once

#include <CLI/App.hpp>

#include <string>

#include "base/error.h"
#include "tune/tune_plugins.h"

namespace assay::cli {

class TuningOptions {
 public:
  void add_to(CLI::App& app);
  // Errors: invalid_input for a report in a form that it doesn't have.
  [[nodiscard]] base::Status check() const;

  // Returns the options of the search and of the measurements, without inputs.
  [[nodiscard]] tune::TuneOptions options() const;
  // Return the names of files, or an empty string for one that wasn't given.
  [[nodiscard]] const std::string& report() const { return report_; }
  [[nodiscard]] const std::string& timing_cache() const { return timing_cache_; }
  // Returns false if no build may use the timings of another one.
  [[nodiscard]] bool shares_timings() const { return !no_timing_cache_; }

 private:
  tune::TuneOptions options_;
  std::string mode_ = "greedy";
  std::string report_;
  std::string timing_cache_;
  bool no_timing_cache_ = false;
};

}  // namespace assay::cli

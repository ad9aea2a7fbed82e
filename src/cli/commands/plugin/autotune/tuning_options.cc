#include "cli/commands/plugin/autotune/tuning_options.h"

#include <filesystem>

#include "cli/options/validators.h"

namespace assay::cli {

using base::ErrorKind;
using base::fail;

void TuningOptions::add_to(CLI::App& app) {
  constexpr auto kGroup = "Tuning";
  app.add_option("--autotune-mode", mode_,
                 "greedy: make or undo one replacement after another while that helps; exhaustive: try all "
                 "combinations")
      ->check(CLI::IsMember({"greedy", "exhaustive"}))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--max-combinations", options_.search.max_combinations,
                 "Try at most this many combinations, besides the model as it is")
      ->option_text("COUNT")
      ->check(at_least(1))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--threshold", options_.search.threshold,
                 "Least gain, as a part of the time: 0.1 saves the model unchanged unless it gets faster by 10 percent")
      ->option_text("PART")
      ->check(number_that("must be at least 0 and below 1", [](double value) { return value >= 0 && value < 1; }))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--warm-up", options_.timing.warm_up, "Run each engine this many times before measuring")
      ->option_text("COUNT")
      ->check(at_least(0))
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--runs", options_.timing.runs, "Measure this many runs of each engine; their median counts")
      ->option_text("COUNT")
      ->check(at_least(1))
      ->capture_default_str()
      ->group(kGroup);
  CLI::Option* cache = app.add_option("--timing-cache", timing_cache_,
                                      "Keep TensorRT's timings of kernels in this file, which later builds use "
                                      "(default: a temporary file)")
                           ->option_text("FILE")
                           ->group(kGroup);
  app.add_flag("--no-timing-cache", no_timing_cache_, "Share no timings between the builds")
      ->excludes(cache)
      ->group(kGroup);
  app.add_option("--report", report_,
                 "Write the times of all combinations to this file, as JSON if its name ends in .json")
      ->option_text("FILE")
      ->group(kGroup);
}

base::Status TuningOptions::check() const {
  if (std::filesystem::path(report_).extension() != ".html") return {};
  return fail(ErrorKind::invalid_input, "this report is text or JSON, not HTML", "--report",
              "Give a file that ends in .txt or .json");
}

tune::TuneOptions TuningOptions::options() const {
  using Mode = tune::SearchOptions::Mode;
  tune::TuneOptions options = options_;
  options.search.mode = mode_ == "greedy" ? Mode::greedy : Mode::exhaustive;
  return options;
}

}  // namespace assay::cli

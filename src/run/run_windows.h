// Runs a model with so many outputs that they don't fit into memory: some of them at a time.
//
// Each window is a run of its own, on a model that returns some of the tensors and computes only what those need. Its
// results are saved, validated, compared and dropped before the next window. Engines fuse nodes if no output is marked
// between them, so the last digits of a value may depend on which other tensors are in its window.
//
// If a window fails, perhaps because of a single tensor, it is halved until that tensor is found; the others are not
// lost.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "run/run_and_compare.h"
#include "run/runner.h"

namespace assay::run {

struct Window {
  std::vector<std::string> tensors;
  bool whole = false;      // runs the whole model, instead of only the nodes that the tensors need
  std::int64_t first = 0;  // the iteration with which it begins
};

struct Windows {
  std::vector<std::string> tensors;  // all wanted tensors, in the order in which they are computed
  std::vector<std::uint64_t> bytes;  // of each tensor, as far as known in advance
  // The bytes that marked tensors may take at the same time, and how many copies of each are in memory then: one in
  // each engine's worker, one in this process for each engine, one for each saved run.
  std::uint64_t budget = 0;
  std::uint64_t copies = 1;

  using Runners = std::vector<std::unique_ptr<Runner>>;
  // Creates runners that return the window's tensors; the same runners in the same order each time.
  std::function<base::Expected<Runners>(const Window& window)> runners;
  // Says how outputs are matched if all of them are present: a window compares those of which it has both.
  OutputMatcher matcher;
  // If everything fits into one window, it uses the matcher, too, instead of match_outputs().
  bool always_uses_matcher = false;
  std::unordered_set<std::string> only_saved;  // tensors that no engine computes
  // Returns those of `others` that are unavailable if `tensor` is, since they are computed from it. May be empty.
  std::function<std::vector<std::string>(const std::string& tensor, const std::vector<std::string>& others)> behind;
};

struct WindowsOutcome {
  bool passed = false;               // all comparisons and validations of the available tensors
  std::size_t windows = 0;           // windows that were run
  std::vector<std::string> without;  // unavailable tensors
};

// Like run_and_compare(), with windows as the outer and iterations as the inner loop; `plan.inputs` must return the
// same inputs each time. Errors: those of run_and_compare(), except that a failing engine is only an error if no window
// returned anything.
base::Expected<WindowsOutcome> run_windows(const Windows& windows, const RunPlan& plan, base::Log& log,
                                           const base::Stop& stop);

}  // namespace assay::run

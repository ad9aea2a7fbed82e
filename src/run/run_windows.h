// Running a model with so many outputs that they do not fit into memory: some of them at a time.
//
// Windows are runs of their own, on models that give back some of the tensors and compute no more than those need. Each
// is run, saved, validated, compared and dropped before the next. Engines fuse nodes between which nobody looks, so a
// value may differ in its last digits from the one that a window of other tensors gives.
//
// Where a window fails, which one tensor may be to blame for, it is halved until that tensor is found; the others are
// not lost.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "run/run_and_compare.h"
#include "run/runner.h"

namespace assay::run {

struct Windows {
  std::vector<std::string> tensors;  // all that is wanted, in the order in which it is made
  std::vector<std::uint64_t> bytes;  // of each tensor, as far as is known before it is there
  // The bytes that marked tensors may take at the same time, and how often each is held then: a result as the engine
  // holds it, as it is passed on, in each of the engines.
  std::uint64_t budget = 0;
  std::uint64_t copies = 1;

  using Runners = std::vector<std::unique_ptr<Runner>>;
  // Runners that answer these tensors; the same ones in the same order each time. `whole`: of the model as it is, else
  // of what these tensors need.
  std::function<base::Expected<Runners>(const std::vector<std::string>& tensors, bool whole)> runners;
  // Which of `others` cannot be had where `tensor` cannot, since they are made of it.
  std::function<std::vector<std::string>(const std::string& tensor, const std::vector<std::string>& others)> behind;
};

struct WindowsOutcome {
  bool passed = false;               // all comparisons and validations of what could be had
  std::size_t windows = 0;           // that were run
  std::vector<std::string> without;  // tensors that no window could give
};

// Like run_and_compare(), with windows outside and iterations inside; `plan.inputs` has to give the same inputs each
// time. Errors: those of run_and_compare(), but that a failing engine is one only where no window gave anything.
base::Expected<WindowsOutcome> run_windows(const Windows& windows, const RunPlan& plan, base::Log& log,
                                           const base::Stop& stop);

}  // namespace assay::run

// The verdict on a whole run, from what was found in each iteration: every iteration by itself, or the means of all.
#pragma once

#include <functional>
#include <optional>

#include "base/log.h"
#include "compare/accuracy_results.h"

namespace assay::compare {

// Whether each output's metrics pass on average over the iterations; says so in the log for each output. An output that
// has no metrics in some iteration, because it could not be compared, fails.
bool judge_averages(const FunctionAccuracy& function, const CompareOptions& options, base::Log& log);

// Judges saved results with the thresholds of a plan, each way of comparing that the plan names: whether all passes.
// Errors: not_found where nothing that was saved can be judged by it.
base::Expected<bool> judge_saved(const AccuracyResults& results, const ComparePlan& plan, base::Log& log);

}  // namespace assay::compare

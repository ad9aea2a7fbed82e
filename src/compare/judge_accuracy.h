// Judges a whole run from the metrics of its iterations: each iteration by itself, or their means.
#pragma once

#include <functional>
#include <optional>

#include "base/log.h"
#include "compare/accuracy_results.h"

namespace assay::compare {

// Returns true if each output's metrics pass on average over the iterations, and logs a line for each output.
// Iterations without metrics, because the output holds strings or couldn't be compared, count by their verdicts.
bool judge_averages(const FunctionAccuracy& function, const CompareOptions& options, base::Log& log);

// Judges saved results with the thresholds of a plan, for each function that the plan names. Returns true if all pass.
// Errors: not_found if the plan can't judge any of the saved results.
base::Expected<bool> judge_saved(const AccuracyResults& results, const ComparePlan& plan, base::Log& log);
// Returns the results that judge_saved() judges, with the thresholds of the plan and the verdicts that follow from
// them.
AccuracyResults judged_results(const AccuracyResults& results, const ComparePlan& plan);

}  // namespace assay::compare

// Judges a whole run from the metrics of its iterations: each iteration by itself, or their means.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "compare/accuracy_results.h"

namespace assay::compare {

// Returns true if each output's metrics pass on average over the iterations, and logs a line for each output.
// Iterations without metrics, because the output holds strings or couldn't be compared, count by their verdicts.
bool judge_averages(const FunctionAccuracy& function, const CompareOptions& options, base::Log& log);

// One output in one iteration, or its means over all iterations.
struct JudgedOutput {
  std::string output;
  std::optional<std::size_t> iteration;        // absent: the means
  std::vector<std::optional<double>> metrics;  // empty if only a verdict is known
  std::vector<double> thresholds;              // likewise
  bool passed = false;
};

// The outputs of two runners that a function has judged.
struct JudgedPair {
  const CompareFunction* function = nullptr;  // null: only verdicts, no metrics
  std::string first;
  std::string second;
  std::vector<JudgedOutput> outputs;
};

struct JudgedResults {
  bool passed = false;
  std::vector<JudgedPair> pairs;         // those with outputs that could be judged
  std::vector<std::size_t> functions{};  // positions of the functions of these pairs in the saved results
};

// Judges saved results with the thresholds of a plan, for each function that the plan names. Skips outputs whose saved
// metrics don't suffice, with a warning. An iteration in which the runners had no output in common fails. Errors:
// not_found if the plan can't judge any of the saved results, or names a function that has none.
base::Expected<JudgedResults> judge_saved(const AccuracyResults& results, const ComparePlan& plan, base::Log& log);
// Returns all saved results as they were judged before they were saved, except those that Assay doesn't know.
JudgedResults saved_judgements(const AccuracyResults& results);
// Returns the results of the functions that judge_saved() has judged. Outputs whose metrics suffice have the thresholds
// of the plan and the verdicts that follow from them.
AccuracyResults judged_results(AccuracyResults results, const JudgedResults& judged, const ComparePlan& plan);

}  // namespace assay::compare

// The means of metrics over all iterations, for results that are judged by their average.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/accuracy_results.h"

namespace assay::compare {

// An output over all iterations of a pair.
struct OutputMeans {
  std::string output;
  // The means of the metrics over the iterations that have metrics. A mean is absent if one of these lacks that metric,
  // or if there are none.
  std::vector<std::optional<double>> means;
  bool is_measured = false;   // an iteration has metrics
  bool verdicts_pass = true;  // no iteration without metrics has failed
};
// Returns all outputs that have results in any iteration, in order of first occurrence.
std::vector<OutputMeans> mean_metrics(const CompareFunction& function, const PairAccuracy& pair);

}  // namespace assay::compare

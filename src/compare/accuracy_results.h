// What comparisons found, to be kept and judged anew with other thresholds: the peer's AccuracyResults.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "compare/compare_outputs.h"
#include "compare/judgement.h"

namespace assay::compare {

// One runner and the one that it was compared with.
struct PairAccuracy {
  std::string first;
  std::string second;
  std::vector<std::vector<OutputJudgement>> iterations;
};

// All that one way of comparing found.
struct FunctionAccuracy {
  const MetricKind* kind = nullptr;  // null: verdicts alone
  bool average = false;              // judged by means over the iterations
  std::vector<PairAccuracy> pairs;
};

struct AccuracyResults {
  std::vector<FunctionAccuracy> functions;
};

// A single file, whatever its name.
base::Status save_accuracy_results(const std::filesystem::path& path, const AccuracyResults& results);
// Errors: not_found; invalid_input where the file holds something else. Metrics of kinds that are not known are left
// out: such a way of comparing has a null kind.
base::Expected<AccuracyResults> load_accuracy_results(const std::filesystem::path& path);

// The means of an output's metrics over iterations, for thresholds on the mean. Absent where one iteration has none.
std::vector<std::optional<double>> mean_metrics(const MetricKind& kind, const PairAccuracy& pair,
                                                const std::string& output);
// Names of all outputs, in the order in which they came.
std::vector<std::string> outputs_of(const PairAccuracy& pair);

}  // namespace assay::compare

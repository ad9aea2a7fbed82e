// The results of comparisons, in the form of Polygraphy's AccuracyResults: saved to a file and judged again later with
// other thresholds.
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

// Two runners that were compared, and the judgement of each output in each iteration.
struct PairAccuracy {
  std::string first;
  std::string second;
  std::vector<std::vector<OutputJudgement>> iterations;
};

// The results of one comparison function.
struct FunctionAccuracy {
  const CompareFunction* function = nullptr;  // null: only verdicts, no metrics
  bool average = false;                       // judged by the means over all iterations
  std::vector<PairAccuracy> pairs;
};

struct AccuracyResults {
  std::vector<FunctionAccuracy> functions;
};

// Writes a single JSON file, whatever the extension of its name. Errors: those of writing.
base::Status save_accuracy_results(const std::filesystem::path& path, const AccuracyResults& results);
// Reads such a file. The results of an unknown function are read as verdicts that failed. Errors: not_found;
// invalid_input if the file holds something else.
base::Expected<AccuracyResults> load_accuracy_results(const std::filesystem::path& path);

// Returns the means of an output's metrics over the iterations that have metrics. A mean is absent if one of these
// lacks that metric, or if there are none.
std::vector<std::optional<double>> mean_metrics(const CompareFunction& function, const PairAccuracy& pair,
                                                const std::string& output);
// Returns the names of all outputs, in order of first occurrence.
std::vector<std::string> outputs_of(const PairAccuracy& pair);

}  // namespace assay::compare

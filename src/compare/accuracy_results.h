// The results of comparisons, in the form of Polygraphy's AccuracyResults: saved to a file and judged again later with
// other thresholds.
#pragma once

#include <cstdint>
#include <filesystem>
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
  std::string unknown_class = {};  // the class of the metrics in the file if Assay doesn't know them, else empty
};

struct AccuracyResults {
  std::vector<FunctionAccuracy> functions;
};

// Writes a single JSON file, whatever the extension of its name. Errors: those of writing.
base::Status save_accuracy_results(const std::filesystem::path& path, const AccuracyResults& results);
// Reads such a file. Results of a function that Assay doesn't know have its unknown_class, and no metrics. Errors:
// not_found; invalid_input if the file holds something else.
base::Expected<AccuracyResults> load_accuracy_results(const std::filesystem::path& path);

}  // namespace assay::compare

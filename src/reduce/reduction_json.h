// Formats the outcome of a reduction for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reduce/judge/failure_filter.h"
#include "reduce/reduce_model.h"

namespace assay::reduce {

// The files that the caller has written. The path of a file that wasn't saved is empty.
struct ReductionFiles {
  std::string model{};                // the result
  std::string passing{};              // Reduction::passing
  std::string repro{};                // the folder for a bug report
  std::vector<std::string> others{};  // the models of `others`, in their order; empty, or one for each
};

// Formats one JSON object, whose keys are the attributes of assay.Reduction in Python (python/assay/reduction.py).
// Instead of models, it has `nodes`, which describes each node of the result, and the files.
std::string to_json(const Reduction& reduction, const std::vector<OtherFailure>& others,
                    const std::vector<std::string>& nodes, const ReductionFiles& files);

// Returns whether each node of the result is needed: without it, the failure disappears.
bool is_minimal(const Reduction& reduction);

// Says why the search ended, in the words of assay.Reduction.end: "minimal", "between ends", ...
std::string_view word_for(Reduction::StopReason reason);

}  // namespace assay::reduce

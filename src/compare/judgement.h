// The result of a comparison function for one output: a few numbers (metrics), their thresholds, and the verdict.
// Metrics can be judged again later, with other thresholds or as means of several iterations.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace assay::compare {

struct CompareFunction;

struct Measured {
  const CompareFunction* function = nullptr;
  std::vector<std::optional<double>> values;  // one for each of function->metrics(); absent if not requested
  std::vector<double> thresholds;             // one for each of function->settings()
};

struct Judgement {
  bool passed = false;
  std::optional<Measured> measured{};  // absent: only the verdict is known
  bool only_specials = false;          // failed, but only because both sides hold NaN or infinity in the same places
};

// The judgement of one output, by its name in the first run.
struct OutputJudgement {
  std::string output;
  Judgement judgement;
};

}  // namespace assay::compare

// Compares one iteration's outputs of two runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "compare/compare_function.h"
#include "tensor/tensor.h"

namespace assay::compare {

struct RunOutputs {
  std::string_view runner;
  const tensor::NamedTensors& outputs;
};

class ErrorPictures;

struct ComparePlan {
  std::vector<CompareFunction> functions;
  CompareOptions options;
  bool fail_fast = false;             // stop at the first output that disagrees
  bool average = false;               // judge the means of metrics over all iterations, not each iteration
  ErrorPictures* pictures = nullptr;  // drawn of what `simple` compares; null: none
};

struct IterationJudgement {
  bool passed = true;                                     // every function finds that every output agrees
  std::vector<std::vector<OutputJudgement>> by_function;  // in the order of the plan; as far as they were asked
};

// Strings agree where they are equal. No common outputs where one of the runs has some is a disagreement; outputs
// without a partner are named in the log and do not count.
IterationJudgement judge_outputs(const RunOutputs& first, const RunOutputs& second, const ComparePlan& plan,
                                 base::Log& log);

// Whether that passes.
bool compare_outputs(const RunOutputs& first, const RunOutputs& second, const ComparePlan& plan, base::Log& log);

}  // namespace assay::compare

// Compares one iteration's outputs of two runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "compare/compare_function.h"
#include "compare/match_outputs.h"
#include "tensor/tensor.h"

namespace assay::compare {

struct RunOutputs {
  std::string_view runner;
  const tensor::NamedTensors& outputs;
};

class ErrorPictures;

struct ComparePlan {
  std::vector<const CompareFunction*> functions;  // rows of the table
  CompareOptions options;
  bool fail_fast = false;             // stop at the first output that disagrees
  bool average = false;               // judge the means of metrics over all iterations, not each iteration
  ErrorPictures* pictures = nullptr;  // receives every output that `simple` compares; null: none
};

struct IterationJudgement {
  bool passed = true;  // all functions find that all outputs agree
  // In the order of the plan. Functions that were not reached are empty.
  std::vector<std::vector<OutputJudgement>> by_function;
  std::vector<OutputMatch> matches;  // the outputs that were compared
  // Second outputs that were transposed or reshaped to be compared, by the names of the first outputs.
  tensor::NamedTensors aligned;

  // Failed, but only because both sides hold NaN or infinity in the same places: no number differs.
  [[nodiscard]] bool only_specials() const;
};

// Compares all outputs with all functions of the plan. Strings agree if they are equal. If at least one of the runs has
// outputs but they have none in common, the iteration fails; other outputs without a partner are only named in the log.
IterationJudgement judge_outputs(const RunOutputs& first, const RunOutputs& second, const ComparePlan& plan,
                                 base::Log& log);
// Compares only these outputs, which both runs have, instead of matching all of them.
IterationJudgement judge_outputs(const RunOutputs& first, const RunOutputs& second, std::vector<OutputMatch> matches,
                                 const ComparePlan& plan, base::Log& log);

// Returns true if judge_outputs() passes.
bool compare_outputs(const RunOutputs& first, const RunOutputs& second, const ComparePlan& plan, base::Log& log);

}  // namespace assay::compare

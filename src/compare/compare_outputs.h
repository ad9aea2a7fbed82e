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

struct ComparePlan {
  std::vector<CompareFunction> functions;
  CompareOptions options;
  bool fail_fast = false;  // stop at the first output that disagrees
};

// Whether every function finds that every output agrees. Strings agree where they are equal. No common outputs where
// one of the runs has some is a disagreement; outputs without a partner are named in the log and do not count.
bool compare_outputs(const RunOutputs& first, const RunOutputs& second, const ComparePlan& plan, base::Log& log);

}  // namespace assay::compare

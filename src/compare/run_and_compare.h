// The work of `assay run`: runners, iteration by iteration or one after another, each compared with the next.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "compare/compare_outputs.h"
#include "compare/per_output.h"
#include "compare/runner.h"
#include "compare/take_top.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::compare {

struct RunPlan {
  ComparePlan compare;
  PerOutput<TopOptions> postprocess;  // of the outputs that are compared; what is saved stays as it was
  bool validate = false;              // NaN or infinity in an output is a failure
  bool sequential = false;            // one runner to its end before the next; all results stay in memory
  int warm_up = 0;                    // runs before the first that counts, with the first inputs; only if sequential

  // Inputs of iteration 0, 1, 2, ...; nullopt where there are no more. `ports`: what the first runner with inputs
  // takes.
  std::function<base::Expected<std::optional<tensor::NamedTensors>>(std::int64_t index,
                                                                    std::span<const tensor::TensorSpec> ports)>
      inputs;
  // Called with every iteration's inputs and with what all runners answered; either may be empty.
  std::function<base::Status(std::int64_t index, const tensor::NamedTensors& inputs)> save_inputs;
  std::function<base::Status(const std::vector<data::IterationResult>& results)> save_outputs;
};

// True where all comparisons and validations passed. Saved runs are compared as long as they last; where runs differ in
// length, a warning says so. Errors: those of the runners, the inputs and the savers; interrupted on a stop.
base::Expected<bool> run_and_compare(const std::vector<std::unique_ptr<Runner>>& runners, const RunPlan& plan,
                                     base::Log& log, const base::Stop& stop);

}  // namespace assay::compare

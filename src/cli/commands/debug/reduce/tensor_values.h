// The values of tensors in the model that `debug reduce` reduces, to which it freezes those whose nodes are removed:
// the user gives them, the check loads them, or an engine computes them on demand.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "cli/commands/debug/reduce/reduction_task.h"
#include "cli/context/command.h"
#include "model/model.h"
#include "reduce/search/candidate_builder.h"
#include "reduce/values/reference_inputs.h"
#include "tensor/tensor.h"
#include "tensor/tensor_spec.h"

namespace assay::cli {

// The values that the user gives or wants to be generated. `values` may refer to the options of a command, which must
// outlive it.
struct UserValues {
  std::string given{};      // the first option that says which inputs to use; empty if there is none
  bool are_loaded = false;  // from a file or by a script; otherwise they are generated
  // Returns values of the model's inputs, and of other tensors for which the user has them. Generated ones have these
  // shapes.
  std::function<base::Expected<tensor::NamedTensors>(const std::vector<tensor::TensorSpec>& inputs,
                                                     const reduce::InputShapes& shapes, base::Log& log)>
      values{};
};

// Loads the values that the user gives or, if there are none, those that the check loads. Writes them into the task,
// and what follows from them: the default of --values, and the inputs whose sizes are open. `model`: the task's, which
// isn't set yet. Errors: those of the user's options and files.
base::Status take_values(ReductionTask& task, const model::Model& model, const UserValues& user, base::Log& log);

// Returns a function that creates references, which compute the other values in the engines that are found. The task
// and the context must outlive it and the references.
reduce::MakeReference computed_values(const ReductionTask& task, const UserValues& user, Context& context);

}  // namespace assay::cli

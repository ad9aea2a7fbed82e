// The values of tensors in the model that `debug reduce` reduces, to which it freezes those whose nodes are removed:
// the user gives them, the check loads them, or an engine computes them on demand.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "cli/commands/debug/reduce/run_reduction.h"
#include "cli/context/command.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"
#include "model/model.h"
#include "reduce/search/candidate_builder.h"

namespace assay::cli {

// The options that say which values tensors have. They must outlive this object.
struct ValueOptions {
  const ModelOptions& model;  // for the shapes of generated inputs
  const DataLoaderOptions& data;
  std::filesystem::path folder;  // for the files of values beyond the memory budget
};

// Loads the values that the user gives or, if there are none, those that the check loads. Writes them into the task,
// and what follows from them: the default of --values, and the inputs whose sizes are open. Warns of shapes and ranges
// for inputs that `model`, the task's, doesn't have. Errors: those of the user's options and files.
base::Status take_values(ReductionTask& task, const model::Model& model, const ValueOptions& options, Context& context);

// Returns a function that creates references, which compute the other values in the engines that are found. The task
// and the context must outlive it and the references.
reduce::MakeReference computed_values(const ReductionTask& task, const ValueOptions& options, Context& context);

}  // namespace assay::cli

// Runs the reduction that the options of `debug reduce` describe.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/commands/debug/reduce/reduction_options.h"
#include "cli/commands/debug/reduce/reduction_task.h"
#include "cli/commands/debug/reduce/slot_options.h"
#include "cli/context/command.h"
#include "cli/options/check_options.h"
#include "cli/options/iteration_options.h"
#include "pages/reduction_page.h"
#include "reduce/judge/failure_filter.h"
#include "reduce/reduce_model.h"

namespace assay::cli {

struct ReductionSetup {
  const ReductionTask& task;
  const CheckOptions& check;
  const IterationOptions& iterations;
  const SlotOptions& slots;
  const ReductionOptions& search;
  bool move_outputs = true;  // bisect and linear
  bool move_inputs = true;
  std::filesystem::path output;  // the result's file; the journal and models of other failures are next to it
  bool infer_shapes = true;
  tensor::NamedTensors values;  // given by the user, by tensor name; may be empty
  // Creates references whose engines the stop and the pool of the context end: that of --time-limit, which ends earlier
  // than the command.
  std::function<reduce::MakeReference(Context& limited)> reference;
  pages::ReductionHistory* history = nullptr;  // records the checks, if not null
};

struct ReductionOutcome {
  reduce::Reduction reduction;
  std::vector<reduce::OtherFailure> others;  // different failures of candidates
  std::optional<std::string> drift;          // see FailureFilter::describe_drift()
};
// Errors: those of reduce_model() and of the journal; invalid_input if the time limit passed before any check failed.
base::Expected<ReductionOutcome> run_reduction(const ReductionSetup& setup, Context& context);

}  // namespace assay::cli

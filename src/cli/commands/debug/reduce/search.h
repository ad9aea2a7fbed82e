// The search of `assay debug reduce` and of assay.reduce: candidates count as failing if they fail as the model does.
#pragma once

#include "base/error.h"
#include "cli/commands/debug/reduce/reduction_task.h"
#include "cli/context/command.h"
#include "reduce/judge/failure_filter.h"
#include "reduce/judge/slot_judges.h"
#include "reduce/reduce_model.h"
#include "tensor/tensor.h"

namespace assay::cli {

struct Search {
  const ReductionTask& task;
  const reduce::ReduceOptions& options;
  reduce::SlotJudges& judges;
  reduce::FailureFilter& filter;
  reduce::Journal* journal = nullptr;        // may be null
  reduce::Iterations* iterations = nullptr;  // may be null
  reduce::ShowProgress show_progress{};
  reduce::MakeReference reference{};
  tensor::NamedTensors values{};  // given by the user, by tensor name; may be empty
};
// A stop of the context ends the search. Errors: those of reduce_model().
base::Expected<reduce::Reduction> run(const Search& search, const Context& context);

}  // namespace assay::cli

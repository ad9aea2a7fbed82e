// The search of `assay debug reduce` and of assay.reduce: candidates count as failing if they fail as the model does.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/error.h"
#include "cli/commands/debug/reduce/reduction_task.h"
#include "cli/context/command.h"
#include "reduce/judge/check_command.h"
#include "reduce/judge/failure_filter.h"
#include "reduce/judge/slot_judges.h"
#include "reduce/reduce_model.h"
#include "reduce/verdicts/resume_journal.h"
#include "tensor/tensor.h"

namespace assay::cli {

// The functions are called with the context of the search: its stop, which ends its processes, is requested when the
// time limit is up.
struct Search {
  const ReductionTask& task;
  const reduce::ReduceOptions& options;
  reduce::FailureFilter& filter;  // also knows the failures of candidates if the search has no result
  // `is_first`: see CheckSetup::is_first.
  std::function<base::Expected<std::unique_ptr<reduce::SlotJudges>>(std::function<bool()> is_first, Context& context)>
      judges;
  std::function<reduce::MakeReference(Context& context)> reference;
  std::optional<reduce::JournalFile> journal{};
  reduce::Iterations* iterations = nullptr;  // may be null
  bool replays = false;                      // the iterations have verdicts of an earlier run
  std::optional<double> time_limit_s{};
  reduce::ShowProgress show_progress{};
  tensor::NamedTensors values{};  // given by the user, by tensor name; may be empty
};

// Creates judges that run a check command. `original`: the model from which all candidates come. It and the context
// must outlive the result. Errors: those of CheckCommand::make and SlotJudges::make.
base::Expected<std::unique_ptr<reduce::SlotJudges>> judges_by_command(reduce::CheckSetup check,
                                                                      const reduce::SlotSetup& slots,
                                                                      const model::Model& original, Context& context);

// Warns if most candidates can't be judged. Without a result, removes verdicts that no later run can use. Errors: those
// of reduce_model() and of the journal; invalid_input if the time limit passed before any check failed.
base::Expected<reduce::Reduction> run(const Search& search, Context& context);

}  // namespace assay::cli

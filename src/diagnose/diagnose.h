// Asks the questions of the table of steps one after another, and keeps each answer in a journal.
//
// A step that is interrupted (Ctrl-C, a killed process) is repeated when the diagnosis resumes; finished ones are not.
// Each step gets a share of the time that is left. A step that needs more ends with "don't know", and the next one
// begins.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "diagnose/case.h"
#include "diagnose/state.h"
#include "diagnose/steps.h"

namespace assay::diagnose {

struct DiagnoseOptions {
  double budget_s = 0;                                                    // for all steps; 0: unlimited
  std::set<std::string> skip;                                             // names of steps
  std::function<void(const StepRow& row)> step_begins{};                  // may be empty
  std::function<void(const StepRow& row, const Step& step)> step_ends{};  // may be empty; also for earlier answers
  // See StepContext::assay.
  std::function<CommandResult(const std::vector<std::string>& words, const base::Stop& stop)> assay{};
};

// Saves the inputs, and continues with the first step that `state` hasn't finished. Returns the final state. Errors:
// interrupted; io if the inputs or the journal can't be saved.
base::Expected<State> diagnose(const Case& task, State state, const DiagnoseOptions& options, worker::Pool& pool,
                               base::Log& log, const base::Stop& stop);

}  // namespace assay::diagnose

// Repeats a check until a good or a bad iteration, or a number of times, and sums up.
#pragma once

#include "cli/context/command.h"
#include "cli/options/format_option.h"
#include "cli/options/iteration_options.h"
#include "reduce/judge/repeat_judge.h"

namespace assay::cli {

// Logs a line for each iteration, and sums up, in JSON if `format` says so, also if it is interrupted. Returns the exit
// status, which doesn't depend on the verdicts. Errors: those of the options and of the judge; interrupted.
base::Expected<int> repeat_check(const IterationOptions& options, const FormatOption& format,
                                 const reduce::FileJudge& judge, Context& context);

}  // namespace assay::cli

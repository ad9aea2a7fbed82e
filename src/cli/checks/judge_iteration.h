// Chooses the judge of a debugging command's iterations: the check command, or the person at the terminal.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "cli/context/command.h"
#include "cli/options/check_options.h"
#include "reduce/judge/repeat_judge.h"

namespace assay::cli {

using Environment = std::vector<std::pair<std::string, std::string>>;

// Returns the judge for one iteration. `subject`: what a person is asked about. `environment`: variables that the check
// command gets. `context` must outlive the result. Errors: those of CheckOptions::setup() and
// CheckCommand::make().
base::Expected<reduce::FileJudge> judge_iteration(const CheckOptions& options, Context& context, std::string subject,
                                                  Environment environment = {});

}  // namespace assay::cli

// Who judges the iterations of a debugging command: the check command, or the person at the terminal.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "cli/command.h"
#include "cli/options/check_options.h"
#include "reduce/judge_files.h"

namespace assay::cli {

// `subject` is what a person is asked about; `artifact`, where there is one, the file that the check is told of.
// Context must outlive the result.
base::Expected<reduce::FileJudge> judge_iteration(const CheckOptions& options, Context& context, std::string subject,
                                                  const std::filesystem::path& artifact = {});

}  // namespace assay::cli

// Who judges the iterations of a debugging command: the check command, or the person at the terminal.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"
#include "cli/command.h"
#include "cli/options/check_options.h"
#include "reduce/judge/repeat_judge.h"

namespace assay::cli {

// `subject` is what a person is asked about; `files.artifact`, where there is one, the file that the check is told of;
// `files.whole` that of the whole model.
// Context must outlive the result.
struct JudgedFiles {
  std::filesystem::path artifact;
  std::filesystem::path whole;
};
base::Expected<reduce::FileJudge> judge_iteration(const CheckOptions& options, Context& context, std::string subject,
                                                  const JudgedFiles& files = {});

}  // namespace assay::cli

// Reads the settings of a run from a command line of `assay run` or `polygraphy run`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/context/command.h"
#include "run/run_settings.h"

namespace assay::cli {

// Returns nothing if the command is neither of them, or if Assay doesn't accept its options. What the context refers to
// must outlive the result.
std::optional<run::RunSettings> settings_of_run(const std::vector<std::string>& command, Context& context);

}  // namespace assay::cli

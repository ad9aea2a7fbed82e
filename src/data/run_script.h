// Runs one of our Python programs on a user's script.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/stop.h"
#include "data/script_source.h"

namespace assay::data {

// Runs `program` (Python source, stored in `folder` meanwhile) with the arguments SCRIPT FUNCTION and `arguments`. Its
// output goes to the log. Errors: not_found for the script, Python and NumPy; invalid_input if the script raises,
// breaks the rules for scripts (exit status 4), or ends in another way; interrupted.
base::Status run_script(const ScriptOptions& options, std::string_view program, const std::filesystem::path& folder,
                        const std::vector<std::string>& arguments, const base::Stop& stop, base::Log& log);

}  // namespace assay::data

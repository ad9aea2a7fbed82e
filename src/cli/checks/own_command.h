// Recognises check commands that run Assay itself.
#pragma once

#include <string>
#include <vector>

#include "cli/context/installation.h"

namespace assay::cli {

// Returns whether the second word is a tool that can be a check. `debug` and `diagnose` can't: they would start checks
// inside a check.
bool names_check_tool(const std::vector<std::string>& words);

// Returns whether these words run such a tool by this executable, as a shell would find it, or by a program called
// "assay" that isn't in PATH.
bool is_this_program(const std::vector<std::string>& words, const Installation& installation);

// Returns whether these words run such a tool by another program called "assay" that starts this version of Assay, such
// as a script that sets variables first. Asks it for its version.
bool is_wrapper(const std::vector<std::string>& words, const Installation& installation);

// Returns is_this_program() or is_wrapper().
bool is_own_command(const std::vector<std::string>& words, const Installation& installation);

}  // namespace assay::cli

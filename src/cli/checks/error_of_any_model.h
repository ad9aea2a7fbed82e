// Recognises errors of a check that say nothing about the candidate: the command would end with them for any model.
//
// A check that runs inside this process returns its error. One that runs as a process can't, so a command that knows
// that it is a check (Context::in_check) exits with kExitUsage after such an error.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace assay::cli {

// Returns true if an option is wrong, a file or an engine is missing, a file of data is damaged, an engine doesn't
// start, Assay can't run this command, or it has no data for an input. `words`: the command line.
bool is_of_any_model(const base::Error& error, const std::vector<std::string>& words);

}  // namespace assay::cli

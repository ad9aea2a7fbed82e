// Checks the saved results with which a command compares one engine.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"

namespace assay::cli {

// Checks that a file with results of this many runners has those of one. Errors: invalid_input.
base::Status check_one_runner(std::size_t runners, const std::string& file);

}  // namespace assay::cli

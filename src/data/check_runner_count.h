// Checks the number of runners in saved results with which an engine is compared.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"

namespace assay::data {

// Checks that a file has the results of one runner. `runners`: how many it has. Errors: invalid_input.
base::Status check_one_runner(std::size_t runners, const std::string& file);

// Refuses a file that has results of no runner: nothing would be compared with them. Errors: invalid_input.
base::Status check_any_runner(std::size_t runners, const std::string& file);

}  // namespace assay::data

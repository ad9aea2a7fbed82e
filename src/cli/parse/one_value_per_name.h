// Refuses two different values for one name in an option with values like name:value or key=value: one of them would
// have no effect.
// If the option is given again, its later values count, as in Polygraphy: a user may append it to a command line.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

#include "base/error.h"

namespace assay::cli {

// Marks an option, which takes at least one value. A name ends at the last ':', or at the first '=' if that is the
// separator. A value without the separator isn't for one name, and can be repeated.
void take_one_value_per_name(CLI::Option* option, char separator = ':');

// Checks the marked options in the words of a command line, which CLI11 has parsed. Errors: invalid_input if one
// occurrence of an option has two values for a name.
base::Status check_one_value_per_name(CLI::App& app, const std::vector<std::string>& words);

}  // namespace assay::cli

// Refuses two different values for one name in an option with values like name:value or key=value: one of them would
// have no effect.
// If the option is given again, its later values count, as in Polygraphy: a user may append it to a command line.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace assay::cli {

// Makes an option, which takes at least one value, refuse such values. A name ends at the last ':', or at the first '='
// if that is the separator. A value without the separator isn't for one name, and can be repeated.
void take_one_value_per_name(CLI::Option* option, char separator = ':');

// Prepares the words of a command line for these options.
std::vector<std::string> mark_occurrences(CLI::App& app, std::vector<std::string> words);

}  // namespace assay::cli

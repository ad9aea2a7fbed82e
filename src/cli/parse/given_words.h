// Recovers the words of a command line, for commands that suggest the next one.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace assay::cli {

// Returns the given options of these groups and their values, in the order of the command line. An option that takes
// several values appears once, with all of them.
std::vector<std::string> given_words(const CLI::App& app, const std::vector<std::string>& groups);

}  // namespace assay::cli

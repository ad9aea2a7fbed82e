// The words of a command line again, for commands that suggest the next one.
#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace assay::cli {

// What was given of the options in these groups, in the order of the command line where options are flags that may be
// repeated, else an option after the other.
std::vector<std::string> given_words(const CLI::App& app, const std::vector<std::string>& groups);

// As a shell takes them: quoted where they need it.
std::string shell_text(const std::vector<std::string>& words);

}  // namespace assay::cli

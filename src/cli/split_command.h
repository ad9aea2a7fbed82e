// Finds the command in a command line.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/parse/arguments.h"

namespace assay::cli {

struct CommandWords {
  Words logging;     // options between the tool and the subtool
  std::string noun;  // the subtool; empty if there is none, "-h" or "--help" if that is there in its place
  Words rest;        // everything after the subtool
};

// Splits the words after a tool that has these subtools. Like Polygraphy, it accepts logging options in front of the
// subtool: `surgeon -v extract ...`. Errors: invalid_input for other options there.
base::Expected<CommandWords> split_command(const Words& words, const std::vector<std::string>& subtools);

}  // namespace assay::cli

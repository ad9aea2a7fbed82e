// Prints the JSON document of a command that has few results. Rooms format those that the Python package returns, too.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "cli/context/command.h"

namespace assay::cli {

// Prints it indented, with a line break at its end. What isn't UTF-8 is replaced: names come from models and engines.
void print_json(const nlohmann::ordered_json& document, Context& context);

}  // namespace assay::cli

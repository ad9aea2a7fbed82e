// Generates completion scripts for assay's command lines, one function for each shell.
//
// All three complete tools, subtools, options, the values of options with fixed choices, and file names elsewhere. Bash
// and zsh also complete the command after --check.
#pragma once

#include <span>
#include <string>

#include "cli/commands.h"
#include "cli/reference/command_facts.h"

namespace assay::cli {

std::string bash_completion(std::span<const ToolRow> tools, std::span<const CommandFacts> commands);
std::string zsh_completion(std::span<const ToolRow> tools, std::span<const CommandFacts> commands);
std::string fish_completion(std::span<const ToolRow> tools, std::span<const CommandFacts> commands);

}  // namespace assay::cli

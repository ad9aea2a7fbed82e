// Completion of assay's command lines, one text for each shell.
//
// All three complete tools, subtools, options, values of options that know them, and file names elsewhere; bash and zsh
// also complete the words of the command behind an option that takes a whole one (--check).
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

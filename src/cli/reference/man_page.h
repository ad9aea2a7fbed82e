// Generates the man page assay(1), in troff's man macros.
#pragma once

#include <span>
#include <string>

#include "cli/commands.h"
#include "cli/reference/command_facts.h"

namespace assay::cli {

std::string man_page(std::string_view version, std::span<const ToolRow> tools, std::span<const CommandFacts> commands);

}  // namespace assay::cli

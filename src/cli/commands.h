// The table of commands: `assay --help` lists it, and a command line selects a row of it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context/command.h"

namespace assay::cli {

struct ToolRow {
  std::string_view tool;
  std::string_view summary;
};

std::span<const ToolRow> tools();
std::span<const CommandRow> commands();

bool tool_exists(std::string_view tool);
// Returns the names of a tool's subtools; none if it has none or doesn't exist.
std::vector<std::string> subtools(std::string_view tool);

// Finds a command by its words ("run" and "", or "surgeon" and "extract"). Knows Polygraphy's older names, too. Returns
// null if there is no such command.
const CommandRow* find_command(std::string_view tool, std::string_view noun);

}  // namespace assay::cli

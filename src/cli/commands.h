// The table of commands: what `assay --help` lists, and what a line on the terminal selects.
#pragma once

#include <span>
#include <string_view>

#include "cli/command.h"

namespace assay::cli {

struct ToolRow {
  std::string_view tool;
  std::string_view summary;
};

// A command of the peer that this version does not have.
struct MissingRow {
  std::string_view tool;
  std::string_view noun;
  std::string_view reason;
};

std::span<const ToolRow> tools();
std::span<const CommandRow> commands();
std::span<const MissingRow> missing_commands();

// Finds a command by its words ("run", or "surgeon" "extract"; older names of the peer included); null where there is
// none.
const CommandRow* find_command(std::string_view tool, std::string_view noun);

}  // namespace assay::cli

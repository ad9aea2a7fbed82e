// What was found, for people and for programs.
#pragma once

#include <optional>
#include <string>

#include "locate/locate.h"
#include "locate/reduction_cost.h"

namespace assay::locate {

// A command to continue with: a reduction of the saved piece, or of the whole model if there is none that differs.
struct NextCommand {
  std::string command;
  ReductionCost cost;
};

// The answer in a few lines, then how it was found, then the layers where differences are born, then the next command.
std::string to_text(const Location& location, const std::optional<NextCommand>& next = {});
// One object; docs/locate.md tells its keys.
std::string to_json(const Location& location, const std::optional<NextCommand>& next);

// The search ended before a node was pinned down, so that a reduction has most of the work still to do.
bool is_open(const Location& location);

}  // namespace assay::locate

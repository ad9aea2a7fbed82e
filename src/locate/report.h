// What was found, for people and for programs.
#pragma once

#include <string>

#include "locate/locate.h"

namespace assay::locate {

// The answer in a few lines, then how it was found, then the layers where differences are born.
std::string to_text(const Location& location);
// One object; docs/locate.md tells its keys.
std::string to_json(const Location& location, const std::string& next_command);

}  // namespace assay::locate

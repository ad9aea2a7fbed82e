// Breaks text into lines for help texts.
#pragma once

#include <string>
#include <string_view>

namespace assay::cli {

// Breaks text at spaces, so that no line has more than `width` columns unless a single word does. Line breaks in the
// text stay. `indent`: spaces in front of every line but the first. Columns are code points.
std::string wrap_text(std::string_view text, int width, int indent);

// Breaks a command at spaces outside quotes. All lines but the last end in a backslash, so that a shell reads the same
// command. `indent`: spaces in front of every line but the first.
std::string wrap_command(std::string_view command, int width, int indent);

}  // namespace assay::cli

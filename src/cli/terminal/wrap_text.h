// Fits text into the columns of a terminal. Columns are code points.
#pragma once

#include <string>
#include <string_view>

namespace assay::cli {

// Breaks text at spaces, so that no line has more than `width` columns unless a single word does. Line breaks in the
// text stay. `indent`: spaces in front of every line but the first.
std::string wrap_text(std::string_view text, int width, int indent);

// Breaks a command at spaces outside quotes. All lines but the last end in a backslash, so that a shell reads the same
// command. `indent`: spaces in front of every line but the first.
std::string wrap_command(std::string_view command, int width, int indent);

// Returns the beginning of the text, at most `width` columns, as one line: control characters become spaces.
std::string one_line(std::string_view text, int width);

}  // namespace assay::cli

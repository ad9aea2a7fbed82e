// Text of other programs, for a terminal. Their colours would colour what follows, and other escape sequences can move
// the cursor, erase what the terminal shows, or set its title.
#pragma once

#include <string>
#include <string_view>

namespace assay::base {

// Returns the text without escape sequences and control characters, except for tabs and line breaks. A carriage return,
// after which a terminal would overwrite the line, ends the line.
std::string without_escapes(std::string_view text);

}  // namespace assay::base

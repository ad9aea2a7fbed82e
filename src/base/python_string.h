// Strings as Python's source text.
#pragma once

#include <string>
#include <string_view>

namespace assay::base {

// Returns a literal for a text, which may contain any bytes. A byte that isn't UTF-8 becomes \udcXX, as in Python's
// names of files ("surrogateescape").
std::string python_string(std::string_view text);

}  // namespace assay::base

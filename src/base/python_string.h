// Strings as Python's source text.
#pragma once

#include <string>
#include <string_view>

namespace assay::base {

// Returns a literal for a text, which may contain any bytes.
std::string python_string(std::string_view text);

}  // namespace assay::base

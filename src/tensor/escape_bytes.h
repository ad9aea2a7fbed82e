// Text of a file in messages: the file may hold any bytes, but terminals and JSON can't show those that aren't UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace assay::tensor {

// Returns UTF-8 text unchanged, and other text with each byte above 127 as "\xff".
std::string escape_bytes(std::string_view text);

}  // namespace assay::tensor

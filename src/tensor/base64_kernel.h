// The inner loop of encoding base64, for the vectors of the processor at hand.
#pragma once

#include <cstddef>

namespace assay::tensor {

// Encodes groups of 12 bytes as 16 characters, as long as 16 bytes can be read; gives the number of bytes that it took.
// `out` has room for 4 characters for each 3 bytes.
std::size_t encode_base64_groups(const std::byte* in, std::size_t size, char* out);

}  // namespace assay::tensor

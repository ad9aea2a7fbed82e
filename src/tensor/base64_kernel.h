// The inner loop of base64 encoding, with the vector instructions of the processor that it runs on.
#pragma once

#include <cstddef>

namespace assay::tensor {

// Encodes groups of 12 bytes to 16 characters while at least 16 bytes remain. Returns the number of bytes encoded.
// `out` must have room for 4 characters per 3 bytes.
std::size_t encode_base64_groups(const std::byte* in, std::size_t size, char* out);

}  // namespace assay::tensor

// Finds holes: ranges of a file that read as zeros and take no space. Copies of large files can have them, too.
#pragma once

#include <cstdint>

namespace assay::base {

// Returns the number of bytes of [offset, offset + length), from the first one on, that are in a hole of the file.
// Returns 0 if the file ends before the range does, or if its file system doesn't know.
std::uint64_t hole_length(int fd, std::uint64_t offset, std::uint64_t length);

}  // namespace assay::base

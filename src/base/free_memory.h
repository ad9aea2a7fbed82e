// How much memory can be taken without hurting anybody.
#pragma once

#include <cstdint>
#include <filesystem>

namespace assay::base {

// Bytes that programs can take now: what the machine has left (MemAvailable), or what the control groups of this
// process (both versions) leave of their limits, whichever is less. 0 where nothing tells. `root` stands for "/", for
// tests.
std::uint64_t free_memory(const std::filesystem::path& root = "/");

}  // namespace assay::base

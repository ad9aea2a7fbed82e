// Finds out how much memory can be allocated without starving other programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace assay::base {

// Returns the bytes that programs can still allocate: the machine's available memory (MemAvailable), or the rest of the
// limits of this process's control groups (both versions), whichever is less. Returns nothing if neither is known.
// Tests set `root`, which replaces "/".
std::optional<std::uint64_t> free_memory(const std::filesystem::path& root = "/");

// Returns the bytes that values of tensors may take unless the user says otherwise: a quarter of the free memory, or
// 4 GiB if that isn't known.
std::uint64_t default_memory_budget();

}  // namespace assay::base

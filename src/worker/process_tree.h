// Finds the processes that belong to a child, and their memory, in /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace assay::worker {

// Returns the living processes of the session that `leader` leads. Cheap: one system call per process on the machine.
std::vector<pid_t> session_members(pid_t leader);

// Returns those and all descendants of `leader`, whatever session or group they moved to. Reads one file per process.
std::vector<pid_t> tree_members(pid_t leader);

// Returns the resident memory of the processes together, in bytes. Pages that several of them share count once per
// process, unless the sum then exceeds `limit`: the exact count is slow.
std::uint64_t resident_bytes(const std::vector<pid_t>& processes, std::uint64_t limit);

// Returns the largest resident memory that each of the processes has had so far, added up, in bytes.
std::uint64_t peak_bytes(const std::vector<pid_t>& processes);

// Returns how many processes the kernel has killed for lack of memory since it booted; 0 if unknown.
std::uint64_t kernel_oom_kills();

}  // namespace assay::worker

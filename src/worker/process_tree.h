// Which processes belong to a child of ours, and the memory they hold, read from /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace assay::worker {

// The living processes of the session that `leader` leads. Cheap: one system call for each process of the machine.
std::vector<pid_t> session_members(pid_t leader);

// Those and all descendants of `leader`, whatever session or group they moved to. Reads a file for each process of the
// machine.
std::vector<pid_t> tree_members(pid_t leader);

// Resident memory of the processes together. Pages that several of them share count once in all where that matters,
// that is, where counting them for each would pass `limit`.
std::uint64_t resident_bytes(const std::vector<pid_t>& processes, std::uint64_t limit);

// How many processes the kernel has killed for want of memory since the machine started; 0 where it does not tell.
std::uint64_t kernel_oom_kills();

}  // namespace assay::worker

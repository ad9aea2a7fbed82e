// If memory runs out, the kernel should kill a command, not Assay, which then reports it.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

namespace assay::worker {

// Makes the kernel prefer this process as a victim. Only makes system calls, so it may run between vfork() and
// execve().
inline void prefer_as_oom_victim() {
  constexpr const char* kScore = "800";
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, kScore, std::strlen(kScore));
  ::close(file);
}

}  // namespace assay::worker

// Reads the entry of a process in /proc without allocating memory, so that the guard, a small static program, can
// include this, too.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <optional>

namespace assay::worker {

struct ProcStat {
  pid_t parent = 0;
  pid_t session = 0;
};

// Parses /proc/PID/stat: "PID (NAME) STATE PARENT GROUP SESSION ...", in which NAME may contain spaces and brackets.
// Returns nothing for a process that has ended, even if it isn't reaped, and for a text of another form.
inline std::optional<ProcStat> parse_proc_stat(const char* text) {
  const char* close = std::strrchr(text, ')');
  if (close == nullptr) return std::nullopt;
  char state = 0;
  int group = 0;
  ProcStat stat;
  if (std::sscanf(close + 1, " %c %d %d %d", &state, &stat.parent, &group, &stat.session) != 4) return std::nullopt;
  return state == 'Z' || state == 'X' ? std::nullopt : std::optional(stat);
}

// Returns nothing for a process that has ended.
inline std::optional<ProcStat> read_proc_stat(pid_t pid) {
  char path[32];
  std::snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  char text[512];  // the fields that are needed are at the start
  const ssize_t count = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (count <= 0) return std::nullopt;
  text[count] = 0;
  return parse_proc_stat(text);
}

}  // namespace assay::worker

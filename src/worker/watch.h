// Waits for a child until it answers, ends, exceeds its time or memory limit, or a stop is requested.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/stop.h"
#include "worker/child.h"
#include "worker/limits.h"
#include "worker/output_capture.h"

namespace assay::worker {

// Limits whose time runs from construction.
class Deadline {
 public:
  explicit Deadline(const Limits& limits);
  [[nodiscard]] const Limits& limits() const { return limits_; }
  // Returns the remaining time, at least zero; absent if it is unlimited.
  [[nodiscard]] std::optional<std::chrono::milliseconds> left() const;

 private:
  Limits limits_;
  std::chrono::steady_clock::time_point end_;
};

enum class Event { ready, ended, timed_out, out_of_memory, stopped };

// Enforces the memory limit by polling, about fifty times a second. Without a cgroup the kernel can't limit the
// resident memory of a group of processes, and its limits on address space and data segments also hit programs that
// reserve memory without touching it.
class Watch {
 public:
  // All arguments must outlive the object.
  Watch(Child& child, OutputPipe& output, const Deadline& deadline, const base::Stop& stop);

  // Waits for the child to end or, if fd isn't -1, for `events` (POLLIN, POLLOUT) on it. Event::ready takes precedence
  // over Event::ended, so that a last answer is read. Captures the child's output meanwhile.
  Event wait(int fd = -1, short events = 0);

 private:
  // Returns how long poll() may sleep; -1 for no limit.
  [[nodiscard]] int sleep_ms() const;
  bool over_memory_limit();

  Child& child_;
  OutputPipe& output_;
  const Deadline& deadline_;
  const base::Stop& stop_;
  std::vector<pid_t> members_;
  int looks_ = 0;
  std::chrono::steady_clock::time_point next_look_;
};

}  // namespace assay::worker

// Waiting for a child: until it answers, ends, takes too long, takes too much memory, or somebody asks us to stop.
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

// Limits with their clock running.
class Deadline {
 public:
  explicit Deadline(const Limits& limits);
  [[nodiscard]] const Limits& limits() const { return limits_; }
  // Time left, none below zero; absent where there is no bound.
  [[nodiscard]] std::optional<std::chrono::milliseconds> left() const;

 private:
  Limits limits_;
  std::chrono::steady_clock::time_point end_;
};

enum class Event { ready, ended, timed_out, out_of_memory, stopped };

// The memory limit is kept by looking, some fifty times a second: no limit of the kernel's bounds the resident memory
// of a group without a cgroup, and those on address space or data segments hit programs that only reserve what they
// never touch.
class Watch {
 public:
  // All must outlive it.
  Watch(Child& child, OutputPipe& output, const Deadline& deadline, const base::Stop& stop);

  // Waits for the child to end, or, where fd is not -1, for `events` (POLLIN, POLLOUT) on it; being ready comes before
  // having ended, so that a last answer is read. Takes in the child's output meanwhile.
  Event wait(int fd = -1, short events = 0);

 private:
  // How long poll() may sleep; -1: for ever.
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

// Shows on a terminal how many bytes of a long step are done: "Saving m.onnx: 1.5 GiB of 4 GiB".
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/log.h"

namespace assay::base {

class ByteStatus {
 public:
  // `what` describes the step, and `all` is its number of bytes. Nothing is shown if these are fewer than `least`, or
  // if the log shows no status. `log` must outlive this object.
  ByteStatus(Log& log, std::string what, std::uint64_t all, std::uint64_t least = 0);
  ByteStatus(const ByteStatus&) = delete;
  ByteStatus& operator=(const ByteStatus&) = delete;
  // Removes the line.
  ~ByteStatus();

  // Counts further bytes as done, and draws the line again if it is old.
  void add(std::uint64_t bytes);

 private:
  using Clock = std::chrono::steady_clock;

  Log& log_;
  std::string what_;
  std::uint64_t all_ = 0, done_ = 0;
  bool shown_ = false;
  Clock::time_point next_ = Clock::now();
};

}  // namespace assay::base

// A time limit that requests a stop.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/stop.h"

namespace assay::base {

// Requests `stop` after `seconds`, unless it is destroyed earlier. `stop` must outlive it.
class StopAfter {
 public:
  StopAfter(Stop& stop, double seconds);
  ~StopAfter() = default;
  StopAfter(const StopAfter&) = delete;
  StopAfter& operator=(const StopAfter&) = delete;

  [[nodiscard]] bool elapsed() const { return elapsed_.load(); }

 private:
  std::mutex mutex_;
  std::condition_variable_any ending_;
  std::atomic<bool> elapsed_ = false;
  std::jthread thread_;  // last, so that it ends before the others
};

}  // namespace assay::base

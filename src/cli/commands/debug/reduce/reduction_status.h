// Keeps the user informed while a reduction runs: on a terminal in a line that is redrawn in place, elsewhere by a
// message whenever the log has been silent for a while.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "base/log.h"
#include "reduce/explore/progress.h"

namespace assay::cli {

// "nodes: 57 nodes left, 38 checks, 4.1 a second, 0:09". `seconds`: since the reduction began.
std::string describe(const reduce::Progress& progress, double seconds);

class ReductionStatus {
 public:
  struct Intervals {
    std::chrono::milliseconds redraw{200};
    std::chrono::milliseconds silence{30'000};
  };
  // `log` must outlive this object.
  explicit ReductionStatus(base::Log& log) : ReductionStatus(log, Intervals()) {}
  ReductionStatus(base::Log& log, Intervals intervals);
  ~ReductionStatus();  // erases the line
  ReductionStatus(const ReductionStatus&) = delete;
  ReductionStatus& operator=(const ReductionStatus&) = delete;

  // Thread-safe.
  void update(const reduce::Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  void keep_informing(const std::stop_token& ending);
  [[nodiscard]] std::string text() const;

  base::Log& log_;
  const Intervals intervals_;
  const bool redraws_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable_any ending_;
  reduce::Progress progress_;
  Clock::time_point reported_ = start_;  // when the log last reported progress
  bool has_begun_ = false;
  std::jthread thread_;  // last, since it uses the others
};

}  // namespace assay::cli

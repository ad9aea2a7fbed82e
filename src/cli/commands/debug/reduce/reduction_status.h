// Keeps the user informed while a reduction runs: on a terminal in a line that is redrawn in place, elsewhere by a
// message whenever the log has been silent for a while. Warns once if a check seems to hang.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

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
    std::chrono::milliseconds patience{60'000};  // at least; ten times the longest check if that is longer
  };
  // `log` must outlive this object. `advice`: what the warning of a check that seems to hang tells the user to do;
  // empty for no warning.
  ReductionStatus(base::Log& log, std::string advice) : ReductionStatus(log, std::move(advice), Intervals()) {}
  ReductionStatus(base::Log& log, std::string advice, Intervals intervals);
  ~ReductionStatus();  // erases the line
  ReductionStatus(const ReductionStatus&) = delete;
  ReductionStatus& operator=(const ReductionStatus&) = delete;

  // Thread-safe.
  void update(const reduce::Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  void keep_informing(const std::stop_token& ending);
  [[nodiscard]] std::string text() const;
  // When to warn of a check that seems to hang, unless one ends before.
  [[nodiscard]] Clock::time_point end_of_patience() const;
  void warn_of_hang();

  base::Log& log_;
  std::string advice_;  // empty once it was given
  const Intervals intervals_;
  const bool redraws_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable_any ending_or_changed_;
  reduce::Progress progress_;
  Clock::time_point reported_ = start_;  // when the log last reported progress
  Clock::time_point changed_ = start_;   // when the search last proposed a candidate or received a verdict
  double longest_s_ = 0;                 // that a check took
  bool has_begun_ = false;
  std::jthread thread_;  // last, since it uses the others
};

}  // namespace assay::cli

#include "base/stop_after.h"

#include <chrono>

#include "base/seconds.h"

namespace assay::base {

StopAfter::StopAfter(Stop& stop, double seconds) {
  const auto end = std::chrono::steady_clock::now() + to_duration(seconds);
  thread_ = std::jthread([this, &stop, end](const std::stop_token& ending) {
    std::unique_lock lock(mutex_);
    ending_.wait_until(lock, ending, end, [] { return false; });
    if (ending.stop_requested()) return;
    elapsed_ = true;
    stop.request();
  });
}

}  // namespace assay::base

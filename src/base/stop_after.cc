#include "base/stop_after.h"

#include <chrono>

#include "base/seconds.h"

namespace assay::base {

StopAfter::StopAfter(Stop& stop, double seconds) {
  thread_ = std::thread([this, &stop, end = std::chrono::steady_clock::now() + to_duration(seconds)] {
    std::unique_lock lock(mutex_);
    if (changed_.wait_until(lock, end, [this] { return ending_; })) return;
    elapsed_ = true;
    stop.request();
  });
}

StopAfter::~StopAfter() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

}  // namespace assay::base

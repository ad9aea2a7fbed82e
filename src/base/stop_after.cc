#include "base/stop_after.h"

#include <chrono>

namespace assay::base {

StopAfter::StopAfter(Stop& stop, double seconds) {
  const auto limit =
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
  thread_ = std::thread([this, &stop, end = std::chrono::steady_clock::now() + limit] {
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

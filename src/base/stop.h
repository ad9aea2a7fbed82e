// A request to stop (Ctrl-C, SIGTERM, a time limit) that loops can check and poll() can wait for.
#pragma once

#include <atomic>

namespace assay::base {

class Stop {
 public:
  Stop();
  // For a part of the work that can be stopped alone. A request to stop the whole is also a request to stop the part.
  // `whole` must outlive the part.
  struct PartOf {
    const Stop& whole;
  };
  explicit Stop(PartOf part);
  ~Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  // Requests the stop. Async-signal-safe: may be called from a signal handler and any thread, any number of times.
  void request() noexcept;
  [[nodiscard]] bool requested() const noexcept {
    return requested_.load(std::memory_order_acquire) || (whole_ != nullptr && whole_->requested());
  }
  // Returns a descriptor that becomes and stays readable once a stop is requested. This object owns it. It is -1, which
  // poll() ignores, if no descriptors were available.
  [[nodiscard]] int wake_fd() const noexcept { return either_fd_ >= 0 ? either_fd_ : read_fd_; }

 private:
  std::atomic<bool> requested_ = false;
  const Stop* whole_ = nullptr;
  int either_fd_ = -1;  // readable if this object's pipe or the whole's is readable
  int read_fd_ = -1;
  int write_fd_ = -1;
};

// Makes SIGINT, SIGTERM and SIGHUP request `stop` instead of ending the process, for as long as it lives. Only one may
// exist at a time; main() owns it.
class StopOnSignals {
 public:
  explicit StopOnSignals(Stop& stop);
  ~StopOnSignals();
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;
};

}  // namespace assay::base

// A request to stop (Ctrl-C, SIGTERM, a time limit), as something that loops can ask and poll() can wait on.
#pragma once

#include <atomic>

namespace assay::base {

class Stop {
 public:
  Stop();
  // For a part of the work that can be stopped alone, too: also requested once `whole`, which must outlive it, is.
  struct PartOf {
    const Stop& whole;
  };
  explicit Stop(PartOf part);
  ~Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  // Async-signal-safe: may be called from a signal handler and from any thread, any number of times.
  void request() noexcept;
  [[nodiscard]] bool requested() const noexcept {
    return requested_.load(std::memory_order_acquire) || (whole_ != nullptr && whole_->requested());
  }
  // Becomes readable, and stays so, once a stop was requested. Owned by this object.
  [[nodiscard]] int wake_fd() const noexcept { return either_fd_ >= 0 ? either_fd_ : read_fd_; }

 private:
  std::atomic<bool> requested_ = false;
  const Stop* whole_ = nullptr;
  int either_fd_ = -1;  // readable where this one's pipe or the whole's is
  int read_fd_ = -1;
  int write_fd_ = -1;
};

// While it lives, SIGINT, SIGTERM and SIGHUP request `stop` instead of ending the process. One at a time; main() owns
// it.
class StopOnSignals {
 public:
  explicit StopOnSignals(Stop& stop);
  ~StopOnSignals();
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;
};

}  // namespace assay::base

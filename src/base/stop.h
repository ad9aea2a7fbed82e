// A request to stop (Ctrl-C, SIGTERM, a time limit), as something that loops can ask and poll() can wait on.
#pragma once

#include <atomic>

namespace assay::base {

class Stop {
 public:
  Stop();
  ~Stop();
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  // Async-signal-safe: may be called from a signal handler and from any thread, any number of times.
  void request() noexcept;
  [[nodiscard]] bool requested() const noexcept { return requested_.load(std::memory_order_acquire); }
  // Becomes readable, and stays so, once a stop was requested. Owned by this object.
  [[nodiscard]] int wake_fd() const noexcept { return read_fd_; }

 private:
  std::atomic<bool> requested_ = false;
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

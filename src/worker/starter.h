// A thread that starts processes for other threads. The kernel kills a child when the thread that started it ends
// (child.h), so a child that must outlive its requester needs to be started by a longer-lived thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <thread>

#include "worker/child.h"

namespace assay::worker {

class Starter {
 public:
  Starter() = default;
  Starter(const Starter&) = delete;
  Starter& operator=(const Starter&) = delete;
  // Ends the thread; the kernel then kills children without a guard that still run.
  ~Starter();

  // Calls Child::start() on the thread, which the first call creates. Thread-safe.
  base::Expected<Child> start(const Command& command, const Wiring& wiring);

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::queue<std::packaged_task<base::Expected<Child>()>> tasks_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace assay::worker

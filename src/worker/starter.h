// A thread that starts processes for others. The kernel kills a child when the thread that started it ends (child.h),
// so whatever has to outlive the thread that wants it is started by one that lives long enough.
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
  // Children that still run are killed.
  ~Starter();

  // Child::start() on the thread, which the first call makes. Thread-safe.
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

#include "worker/starter.h"

namespace assay::worker {

Starter::~Starter() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

base::Expected<Child> Starter::start(const Command& command, const Wiring& wiring) {
  std::packaged_task<base::Expected<Child>()> task([&] { return Child::start(command, wiring); });
  std::future<base::Expected<Child>> result = task.get_future();
  {
    const std::lock_guard lock(mutex_);
    tasks_.push(std::move(task));
    if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
  }
  wake_.notify_one();
  return result.get();
}

void Starter::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    auto task = std::move(tasks_.front());
    tasks_.pop();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace assay::worker

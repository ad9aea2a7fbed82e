#include "bindings/signal_thread.h"

#include <unistd.h>

#include <chrono>
#include <utility>

#include "bindings/gil.h"

namespace assay::python {
namespace {

namespace nb = nanobind;

constexpr std::chrono::milliseconds kLook{100};  // how often the main thread looks for signals

}  // namespace

SignalThread::~SignalThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void SignalThread::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return ending_ || work_ != nullptr; });
    if (work_ == nullptr) return;
    lock.unlock();
    try {
      (*work_)();
    } catch (...) {
      thrown_ = std::current_exception();
    }
    lock.lock();
    work_ = nullptr;
    wake_.notify_all();
  }
}

void SignalThread::wait(std::optional<nb::python_error>& raised) {
  for (bool done = false; !done;) {
    {
      std::unique_lock lock(mutex_);
      done = wake_.wait_for(lock, kLook, [this] { return work_ == nullptr; });
    }
    if (raised) continue;  // the stop was requested, and the work will end

    // Once more at the end: later, Python would throw the result away.
    const GilAcquire gil;
    if (PyErr_CheckSignals() == 0) continue;
    raised.emplace();
    stop_.request();  // before Python code in other threads can see that the handler has ended
  }
}

void SignalThread::run(const std::function<void()>& work) {
  std::optional<nb::python_error> raised;
  {
    const GilRelease release;
    if (gettid() != getpid()) {  // Python runs signal handlers in the main thread only
      work();
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
      work_ = &work;
    }
    wake_.notify_all();
    wait(raised);
  }
  const std::exception_ptr thrown = std::exchange(thrown_, nullptr);
  if (raised) throw nb::python_error(std::move(*raised));
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace assay::python

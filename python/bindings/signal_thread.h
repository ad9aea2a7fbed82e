// A thread that works while Python's main thread waits for it and looks for signals, so that Ctrl-C ends a call.
//
// Python only notes a signal, and runs its handler the next time that the main thread executes bytecode, which a call
// into the extension delays. The thread is kept for the next call: handing work over costs some microseconds, creating
// a thread for each call would cost more than a run of a small model.
#pragma once

#include <nanobind/nanobind.h>

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "base/stop.h"

namespace assay::python {

class SignalThread {
 public:
  // A signal whose handler raises an exception requests `stop`, which must outlive this object.
  explicit SignalThread(base::Stop& stop) : stop_(stop) {}
  ~SignalThread();
  SignalThread(const SignalThread&) = delete;
  SignalThread& operator=(const SignalThread&) = delete;

  // Runs `work` to its end; on other threads than the main one, without a thread. The caller must hold the GIL, which
  // is released meanwhile. Throws the exception that a signal handler raised, or else the one that `work` threw.
  void run(const std::function<void()>& work);

 private:
  void serve();
  void wait(std::optional<nanobind::python_error>& raised);

  base::Stop& stop_;
  std::mutex mutex_;
  std::condition_variable wake_;
  const std::function<void()>* work_ = nullptr;  // null if there is nothing to do
  std::exception_ptr thrown_;                    // by the work
  bool ending_ = false;
  std::thread thread_;  // started by the first call
};

}  // namespace assay::python

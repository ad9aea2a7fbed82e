// Runs a long call so that Ctrl-C ends it.
//
// Python only notes a signal, and runs its handler the next time that the main thread executes bytecode. A call into
// the extension would therefore delay it to the end. So the work runs in a thread of its own, without the GIL, while
// the calling thread looks for signals and, if a handler raises an exception, requests a stop.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>
#include <utility>

#include "base/stop.h"
#include "bindings/errors.h"
#include "bindings/installation.h"
#include "bindings/log.h"
#include "worker/engine.h"

namespace assay::python {

class Interruptible {
 public:
  // The caller holds the GIL, here and in all functions that don't say otherwise.
  Interruptible();

  // What the work may use. No GIL is needed.
  [[nodiscard]] const base::Stop& stop() const { return stop_; }
  [[nodiscard]] worker::Pool& pool() { return pool_; }
  [[nodiscard]] base::Log& log() { return log_; }
  [[nodiscard]] const backend::EngineSearch& engines() const { return installation_.engines; }
  // For a part of the work that may request the stop.
  [[nodiscard]] base::Stop& own_stop() { return stop_; }

  // Returns the value of the Expected that `work` returns, or throws its error. If a signal handler raised an
  // exception, throws that if the work has no result because it was stopped, or if the exception isn't
  // KeyboardInterrupt.
  template <class Work>
  auto run(Work work, Subject subject = Subject::model) {
    std::optional<decltype(work())> result;
    wait([&] { result.emplace(work()); });
    const bool stopped = !*result && result->error().kind == base::ErrorKind::interrupted;
    rethrow(stopped);
    return unwrap(*std::move(result), subject);
  }
  // Whether a signal has ended the work early.
  [[nodiscard]] bool interrupted() const { return raised_.has_value(); }

 private:
  void wait(const std::function<void()>& work);
  void rethrow(bool stopped);

  Installation& installation_;
  base::Stop stop_;
  worker::Pool pool_;
  PythonLog log_;
  std::optional<nanobind::python_error> raised_;
};

}  // namespace assay::python

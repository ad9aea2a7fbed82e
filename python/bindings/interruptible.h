// Lets Ctrl-C end a long call: the work is stopped and may still return what it has found so far.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <utility>

#include "base/stop.h"
#include "bindings/errors.h"
#include "bindings/installation.h"
#include "bindings/log.h"
#include "bindings/signal_thread.h"
#include "worker/engine.h"

namespace assay::python {

class Interruptible {
 public:
  // The caller holds the GIL, here and in all functions that don't say otherwise.
  Interruptible();

  // These may be used without the GIL.
  [[nodiscard]] const base::Stop& stop() const { return stop_; }
  [[nodiscard]] worker::Pool& pool() { return pool_; }
  [[nodiscard]] base::Log& log() { return log_; }
  [[nodiscard]] const backend::EngineSearch& engines() const { return installation_.engines; }
  // The same stop, for work that may request it.
  [[nodiscard]] base::Stop& own_stop() { return stop_; }

  // Returns the value of the Expected that `work` returns, or throws its error. If a signal handler raised an
  // exception, throws that instead.
  template <class Work>
  auto run(Work work, Subject subject = Subject::model) {
    log_.rethrow();  // of messages before
    std::optional<decltype(work())> result;
    thread_.run([&] { result.emplace(work()); });
    return unwrap(*std::move(result), subject);
  }

  // The same for work that returns the best result so far when it is stopped: KeyboardInterrupt is only thrown if there
  // is none.
  template <class Work>
  auto run_for_best(Work work, Subject subject) {
    log_.rethrow();
    std::optional<decltype(work())> result;
    try {
      thread_.run([&] { result.emplace(work()); });
    } catch (nanobind::python_error& raised) {
      if (!result || !*result || !raised.matches(PyExc_KeyboardInterrupt)) throw;
      stop_.request();
    }
    return unwrap(*std::move(result), subject);
  }

 private:
  Installation& installation_;
  base::Stop stop_;
  worker::Pool pool_;
  PythonLog log_;
  SignalThread thread_{stop_};
};

}  // namespace assay::python

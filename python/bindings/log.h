// The log of a call from Python.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "base/log.h"

namespace assay::python {

// Passes messages on to assay.logger. Any thread may use it: it acquires the GIL.
//
// A message is Python code, so Ctrl-C may raise KeyboardInterrupt in it. In the main thread the log keeps that
// exception, passes no further messages on, and rethrow() throws it once the work has returned. In other threads,
// Python reports an exception as one that can't be raised.
class PythonLog final : public base::Log {
 public:
  // Reads the severity of assay.logger, which holds for the life of this log. The caller must hold the GIL.
  PythonLog();
  [[nodiscard]] bool shows(base::Level level) const override { return level >= least_; }
  void write(base::Level level, std::string_view message) override;
  // Throws the exception that a message raised in the main thread. The caller must hold the GIL.
  void rethrow();

 private:
  base::Level least_;
  std::optional<nanobind::python_error> raised_;
};

}  // namespace assay::python

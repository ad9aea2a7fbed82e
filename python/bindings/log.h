// The log of a call from Python.
#pragma once

#include "base/log.h"

namespace assay::python {

// Passes messages on to assay.logger. Any thread may use it: it acquires the GIL.
class PythonLog final : public base::Log {
 public:
  // Reads the severity of assay.logger, which holds for the life of this log. The caller must hold the GIL.
  PythonLog();
  [[nodiscard]] bool shows(base::Level level) const override { return level >= least_; }
  void write(base::Level level, std::string_view message) override;

 private:
  base::Level least_;
};

}  // namespace assay::python

// A check of assay.reduce that is a Python function.
#pragma once

#include <nanobind/nanobind.h>

#include <filesystem>
#include <mutex>
#include <optional>

#include "base/error.h"
#include "base/stop.h"
#include "reduce/verdicts/verdict.h"

namespace assay::python {

// All slots of a reduction may call it at once. It acquires the GIL itself, except in rethrow().
class PythonCheck {
 public:
  // `function` takes the path of a candidate and returns (kind, text, output), as python/assay/check.py says. If it
  // raises an exception, `stop` is requested, which ends the reduction.
  PythonCheck(nanobind::object function, base::Stop& stop) : function_(std::move(function)), stop_(stop) {}
  ~PythonCheck();
  PythonCheck(const PythonCheck&) = delete;
  PythonCheck& operator=(const PythonCheck&) = delete;

  // Returns the verdict on the model in a file. A function can't be interrupted, so a requested stop takes effect only
  // before and after the call. Errors: interrupted.
  base::Expected<reduce::Verdict> judge(const std::filesystem::path& model, const base::Stop& stop);

  // Throws the exception that the function raised first, if it raised one. The caller holds the GIL.
  void rethrow();

 private:
  nanobind::object function_;
  base::Stop& stop_;
  std::mutex mutex_;
  std::optional<nanobind::python_error> raised_;
};

}  // namespace assay::python

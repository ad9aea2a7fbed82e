// The Python in which tests run scripts: that of ASSAY_TEST_PYTHON, which has NumPy and ml_dtypes, else python3.
#pragma once

#include <string>

#include "base/stop.h"
#include "tests/support/fetched.h"
#include "worker/process.h"

namespace assay::test {

inline std::string test_python() {
  const std::string python = fetched_python();
  return python.empty() ? "python3" : python;
}

inline bool can_import(const std::string& module) {
  const base::Stop stop;
  const auto outcome =
      worker::run({.argv = {test_python(), "-c", "import " + module}, .environment = {}, .folder = {}}, {}, stop);
  return outcome && *outcome && (*outcome)->code == 0;
}

}  // namespace assay::test

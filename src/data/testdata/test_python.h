// The Python in which tests run scripts: that of ASSAY_TEST_PYTHON, which has NumPy and ml_dtypes, else python3.
#pragma once

#include <cstdlib>
#include <string>

#include "base/stop.h"
#include "worker/process.h"

namespace assay::test {

inline std::string test_python() {
  const char* python = std::getenv("ASSAY_TEST_PYTHON");
  return python != nullptr ? python : "python3";
}

inline bool can_import(const std::string& module) {
  const base::Stop stop;
  const auto outcome =
      worker::run({.argv = {test_python(), "-c", "import " + module}, .environment = {}, .folder = {}}, {}, stop);
  return outcome && *outcome && (*outcome)->code == 0;
}

}  // namespace assay::test

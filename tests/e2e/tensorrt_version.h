// Tests with TensorRT run with versions 10 and 11. Settings that TensorRT 11 has removed are tested with TensorRT 10
// alone; tensorrt_removed_test.cc tests that they are refused.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace assay::e2e {

// Returns the major version of the TensorRT that commands use, from the output of `assay --version`; 0 if there is
// none.
inline int tensorrt_major(const std::string& engines) {
  constexpr std::string_view kLine = "\ntensorrt ";
  const std::size_t at = engines.find(kLine);
  return at == std::string::npos ? 0 : std::atoi(engines.c_str() + at + kLine.size());
}

// Skips a test of settings that TensorRT 11 doesn't have.
#define ASSAY_NEEDS_TENSORRT_10(settings) \
  if (tensorrt_major() > 10) GTEST_SKIP() << "TensorRT 11 has removed " << (settings)

}  // namespace assay::e2e

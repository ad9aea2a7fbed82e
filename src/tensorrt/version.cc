#include "tensorrt/version.h"

#include <fmt/format.h>

namespace assay::tensorrt {

Version Version::from_number(int number) {
  constexpr int kOld = 1000;
  constexpr int kNew = 10000;
  const int unit = number < kNew ? kOld : kNew;
  return {number / unit, number % unit / 100, number % 100};
}

std::string Version::text() const {
  return fmt::format("{}.{}.{}", major, minor, patch);
}

std::string Version::release() const {
  return fmt::format("{}.{}", major, minor);
}

}  // namespace assay::tensorrt

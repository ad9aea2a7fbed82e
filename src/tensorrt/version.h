// A version of TensorRT.
#pragma once

#include <compare>
#include <string>

namespace assay::tensorrt {

struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;

  // Reads the number that TensorRT gives its version: 101501 for 10.15.1. TensorRT 8 and 9 counted 8601 for 8.6.1.
  static Version from_number(int number);

  [[nodiscard]] std::string text() const;     // "10.15.1"
  [[nodiscard]] std::string release() const;  // "10.15"

  // Functions and enumerators come with a release, so `version >= Version{10, 15}` asks whether they exist.
  auto operator<=>(const Version&) const = default;
};

}  // namespace assay::tensorrt

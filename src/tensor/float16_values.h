// Conversion to float16 that creates no infinities and zeros, for weights and for inputs of nodes under comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tensor/tensor.h"

namespace assay::tensor {

inline constexpr double kLargestFloat16 = 65504;
// Engines and tensor::cast() round numbers of at least this size to infinity, and smaller ones to at most 65504.
inline constexpr double kFloat16Overflow = 65520;

// Counts the values that float16 can't hold and that were replaced by the nearest value of the same kind.
struct Float16Changes {
  std::uint64_t too_large = 0;  // finite values that became +-65504
  std::uint64_t too_small = 0;  // non-zero values that became +-2^-24

  Float16Changes& operator+=(const Float16Changes& other) {
    too_large += other.too_large;
    too_small += other.too_small;
    return *this;
  }
};

// Returns the bits of a float16 (IEEE 754 binary16), rounded to the nearest, ties to even, except that finite values
// stay finite and non-zero values stay non-zero. TensorRT and onnxconverter-common convert weights like this: a mask of
// -1e9 or an epsilon of 1e-12 isn't meant to become -inf or 0. Infinities, NaNs and zeros are kept.
// tensor::cast(), in contrast, converts as engines do, to infinity and 0.
std::uint16_t to_float16(float value, Float16Changes& changes);

// Converts an array: `values` holds the bytes of `out.size() / 2` floats. Neither needs to be aligned.
void to_float16(std::span<const std::byte> values, std::span<std::byte> out, Float16Changes& changes);

// Converts a tensor. Asserts that its type is float32.
Tensor to_float16(const Tensor& values);

// Returns a float32 tensor with its finite values limited to -65504 to 65504, float16's range. Any other tensor is
// returned as it is, and so is one whose values are in this range; both share the memory.
Tensor limit_to_float16(const Tensor& values);

}  // namespace assay::tensor

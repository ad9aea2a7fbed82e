// Values in float16, for those who must not make infinities and zeros: weights, and what nodes are fed that are
// compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tensor/tensor.h"

namespace assay::tensor {

// Values that a model could not hold in float16 and that were given the nearest one of their kind.
struct Float16Changes {
  std::uint64_t too_large = 0;  // finite, and now +-65504
  std::uint64_t too_small = 0;  // not zero, and now +-2^-24

  Float16Changes& operator+=(const Float16Changes& other) {
    too_large += other.too_large;
    too_small += other.too_small;
    return *this;
  }
};

// The bits of a float16 (IEEE 754 binary16): rounded to the nearest, ties to even, but that a finite value stays finite
// and one that is not zero does not become zero. TensorRT and onnxconverter-common keep weights so: a mask of -1e9 or
// an epsilon of 1e-12 is not meant to become -inf or 0. Infinities, NaN and zeros stay what they are.
// tensor::cast() is what engines do: it gives infinity and 0.
std::uint16_t to_float16(float value, Float16Changes& changes);

// The same for many: `values` are the bytes of `out.size() / 2` floats, which need not be aligned.
void to_float16(std::span<const std::byte> values, std::span<std::byte> out, Float16Changes& changes);

// Asserts that `values` are float32.
Tensor to_float16(const Tensor& values);

}  // namespace assay::tensor

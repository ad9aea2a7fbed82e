// Elements of any numeric type as C++ numbers, and back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::tensor {

// Floats, integers and bool: all types but complex ones, strings and undefined.
bool is_real(ElementType type);

// Elements [first, first + out.size()) as doubles; exact but for 64-bit integers beyond 2^53. In pieces, so that nobody
// needs a tensor's worth of doubles. Asserts a real type and a range inside the tensor.
void read_doubles(const Tensor& tensor, std::uint64_t first, std::span<double> out);
std::vector<double> to_doubles(const Tensor& tensor);

// The same for integers and bool, exactly; a uint64 beyond int64 wraps. Asserts an integer type or bool.
void read_integers(const Tensor& tensor, std::uint64_t first, std::span<std::int64_t> out);

// As numpy's array.astype(type) does it: floats to integers by truncation, integers by keeping the low bits, anything
// but zero to true; a complex type takes real numbers only. Gives the same tensor back where the type is the same.
// Errors: unsupported from and to strings, and from complex to real types.
base::Expected<Tensor> cast(const Tensor& tensor, ElementType type);

// From doubles: cast() of a float64 tensor, without one. Asserts a type that is real or complex, and sizes that agree.
Tensor from_doubles(ElementType type, Shape shape, std::span<const double> values);

}  // namespace assay::tensor

// Converts elements of any numeric type to C++ numbers and back.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace assay::tensor {

// Returns true for floats, integers and bool: all types except complex types, strings and undefined.
bool is_real(ElementType type);

// Reads elements [first, first + out.size()) as doubles, exactly except for 64-bit integers beyond 2^53. Reading in
// pieces avoids a copy of the whole tensor as doubles. Asserts that the type is real and the range inside the tensor.
void read_doubles(const Tensor& tensor, std::uint64_t first, std::span<double> out);
std::vector<double> to_doubles(const Tensor& tensor);

// Reads integers and bools exactly; a uint64 beyond int64's range wraps. Asserts that the type is an integer or bool.
void read_integers(const Tensor& tensor, std::uint64_t first, std::span<std::int64_t> out);

// Converts as numpy's array.astype(type) does: truncates floats to integers, keeps the low bits of integers, and turns
// anything except zero into true. Complex types can be converted to, but not from. Returns the same tensor if it has
// the type already. Errors: unsupported from and to strings and undefined, and from complex types.
base::Expected<Tensor> cast(const Tensor& tensor, ElementType type);

// Equals cast() of a float64 tensor, without creating that tensor. Asserts that the type is real or complex and that
// `values` has as many elements as the shape.
Tensor from_doubles(ElementType type, Shape shape, std::span<const double> values);

}  // namespace assay::tensor

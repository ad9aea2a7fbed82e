// One element of a tensor of any type as a plain number.
#pragma once

#include <complex>
#include <cstdint>

#include "tensor/tensor.h"

namespace assay::tensor {

// Element `index` (below size()) of a tensor of a floating type, as the number that it stands for; every value of every
// such type fits a double. Also takes integers and booleans (64-bit ones are rounded).
double read_floating(const Tensor& tensor, std::uint64_t index);

// Of a signed or boolean type, and of an unsigned one.
std::int64_t read_signed(const Tensor& tensor, std::uint64_t index);
std::uint64_t read_unsigned(const Tensor& tensor, std::uint64_t index);

// Of a complex type.
std::complex<double> read_complex(const Tensor& tensor, std::uint64_t index);

}  // namespace assay::tensor

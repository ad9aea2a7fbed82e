// Reads elements of a tensor as numbers, a block at a time. All comparisons and statistics read tensors this way, so no
// tensor is ever converted as a whole.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/tensor.h"

namespace assay::stats {

inline constexpr std::size_t kBlock = 1024;  // elements converted at a time

// Writes elements [begin, begin + count) to `out`. Every type except strings and complex numbers can be read as float
// and double (rounded if necessary), integers and booleans also as __int128 (exact).
void read_block(const tensor::Tensor& tensor, std::uint64_t begin, std::size_t count, float* out);
void read_block(const tensor::Tensor& tensor, std::uint64_t begin, std::size_t count, double* out);
void read_block(const tensor::Tensor& tensor, std::uint64_t begin, std::size_t count, __int128* out);

// Returns a view of a complex tensor as pairs of real numbers: the same bytes with one more axis, of length 2.
tensor::Tensor as_pairs(const tensor::Tensor& tensor);

// Returns true if read_block accepts the type: tensor::is_real().
bool is_numeric(tensor::ElementType type);
bool is_floating(tensor::ElementType type);
// Returns true if a float can represent every value of the type exactly.
bool fits_float(tensor::ElementType type);

}  // namespace assay::stats

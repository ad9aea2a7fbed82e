// Elements of a tensor as numbers, a block at a time: what all comparisons and statistics read, so that no tensor is
// ever converted as a whole.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/tensor.h"

namespace assay::stats {

inline constexpr std::size_t kBlock = 1024;  // elements that are converted at a time

// Writes `count` elements from `begin` on to `out`. Every type but strings and complex numbers can be read as float and
// double (rounded where they do not fit), integers and booleans also as __int128 (exact).
void read_block(const tensor::Tensor& tensor, std::uint64_t begin, std::size_t count, float* out);
void read_block(const tensor::Tensor& tensor, std::uint64_t begin, std::size_t count, double* out);
void read_block(const tensor::Tensor& tensor, std::uint64_t begin, std::size_t count, __int128* out);

// A complex tensor as pairs of real numbers: the same bytes with one more axis.
tensor::Tensor as_pairs(const tensor::Tensor& tensor);

// Whether read_block takes the type.
bool is_numeric(tensor::ElementType type);
bool is_floating(tensor::ElementType type);
// Every value fits a float exactly.
bool fits_float(tensor::ElementType type);

}  // namespace assay::stats

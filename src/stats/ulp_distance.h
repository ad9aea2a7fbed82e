// How many representable values lie between two numbers: a distance that needs no tolerance to be chosen.
//
// Source: the bits of an IEEE 754 number without its sign, read as an integer, grow with the number (B. Dawson,
// "Comparing Floating Point Numbers"); so do those of all types of ONNX with fewer bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/tensor.h"

namespace assay::stats {

inline constexpr std::uint64_t kNoUlp = ~std::uint64_t{0};  // one of the two is NaN

// Distances of `count` elements from `begin` on, in the type of both, or in the one with fewer digits where the types
// differ; of integers and booleans |a - b|. -0 and 0 are 0 apart; infinity follows the largest number, in types that
// have it. Both are numeric (is_numeric).
void read_ulp_distances(const tensor::Tensor& first, const tensor::Tensor& second, std::uint64_t begin,
                        std::size_t count, std::uint64_t* out);

}  // namespace assay::stats

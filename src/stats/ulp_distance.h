// Counts the representable values between two numbers: a distance that needs no tolerance.
// Source: B. Dawson, "Comparing Floating Point Numbers". The bits of an IEEE 754 number without its sign, read as an
// integer, increase with the number; so do those of all of ONNX's narrower types.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor/tensor.h"

namespace assay::stats {

inline constexpr std::uint64_t kNoUlp = ~std::uint64_t{0};  // marks an element with a NaN

// Writes the distances of elements [begin, begin + count) to `out`, in steps of their type, or of the type with fewer
// digits if the types differ; for integers and booleans |a - b|. 0 and -0 are 0 apart; in types with infinity, it
// follows the largest number. If either value is NaN, the distance is kNoUlp. Both tensors are numeric (is_numeric).
void read_ulp_distances(const tensor::Tensor& first, const tensor::Tensor& second, std::uint64_t begin,
                        std::size_t count, std::uint64_t* out);

}  // namespace assay::stats

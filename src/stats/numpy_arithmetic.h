// Reproduces how NumPy rounds: the type in which it holds numbers, and how it interpolates quantiles.
#pragma once

#include <cstdint>

#include "tensor/element_type.h"

namespace assay::stats {

// The type in which NumPy would hold the numbers, which decides how it rounds.
enum class Arithmetic { float16, float32, float64, integer, boolean };
Arithmetic arithmetic_of(tensor::ElementType type);

// Two neighbouring ranks in the sorted series, and how far between them a quantile is.
struct QuantilePlace {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  double weight = 0;  // of `high`, below 1
};
// Returns the place of a quantile of `count` numbers, at least one; 0 <= fraction <= 1. Same as numpy.quantile's method
// "linear".
QuantilePlace quantile_place(std::uint64_t count, double fraction);

// Interpolates like numpy.percentile, which rounds every step to the array's type.
double interpolate(double low, double high, double weight, Arithmetic arithmetic);

// Returns numpy.median of `count` numbers, given the two in the middle (the same one twice if `count` is odd). The
// median of float16 is computed in float32, as Polygraphy prints it.
double median_of(std::uint64_t count, double low, double high, Arithmetic arithmetic);

}  // namespace assay::stats

// How NumPy rounds: in which type it holds numbers, and where and how quantiles are taken between two of them.
#pragma once

#include <cstdint>

#include "tensor/element_type.h"

namespace assay::stats {

// In which type NumPy would hold the numbers, which decides how it rounds.
enum class Arithmetic { float16, float32, float64, integer, boolean };
Arithmetic arithmetic_of(tensor::ElementType type);

// Two neighbours in the sorted series, and how far between them a quantile lies.
struct QuantilePlace {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  double weight = 0;  // of `high`, below 1
};
// Of `count` numbers, at least one; 0 <= fraction <= 1. That is numpy.quantile's method "linear".
QuantilePlace quantile_place(std::uint64_t count, double fraction);

// numpy.percentile's interpolation, whose every step is rounded to the array's type.
double interpolate(double low, double high, double weight, Arithmetic arithmetic);

// numpy.median of `count` numbers, whose two in the middle these are (the same one twice where `count` is odd); of
// float16 that of the numbers as float32, as Polygraphy prints it.
double median_of(std::uint64_t count, double low, double high, Arithmetic arithmetic);

}  // namespace assay::stats

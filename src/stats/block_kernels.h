// Inner loops of comparisons and statistics. Each kernel works on a block of at most kBlock numbers, which fits into
// the first-level cache, and uses the vector instructions of the current processor (Highway selects them at run time).
// A kernel does one step; the caller decides which results are added and in which order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stats/equal_specials.h"
#include "stats/read_block.h"

namespace assay::stats {

// Numbers of padding after a block. Kernels work in whole vectors, so they may read and write the padding.
inline constexpr std::size_t kSlack = 64;

template <class Real>
struct alignas(64) BlockOf {
  Real values[kBlock + kSlack];
};

// How |a - b| and |a - b| / |b| are computed.
struct DifferenceRule {
  EqualSpecials equal = {};
  bool replace_zero = true;  // divide by 2^-52 where b is 0
};

template <class Real>
struct BlockExtremes {
  Real min, max;  // over elements that aren't NaN; infinity and -infinity if there are none
  bool has_nan = false;
};

// Sums of the numbers and of their absolute values.
struct BlockSums {
  double values = 0;
  double magnitudes = 0;
};

// Counts of the numbers below and between two thresholds.
struct BlockSplit {
  std::uint64_t low = 0;     // x <= low; for low == high: x < low
  std::uint64_t inside = 0;  // low < x < high; for low == high: x == low
};

// Sums over one block; measure.h explains each.
template <class Real>
struct BlockMeasure {
  double absolute_sum, relative_sum;
  Real absolute_max, relative_max;  // over errors that aren't NaN; -1 if there are none
  Real first_peak;
  double first_squared, second_squared, product, difference_squared;
  std::uint64_t beyond;
  bool special;  // an element or an error isn't finite, so the caller has to visit the elements one by one
};

template <class Real>
struct BlockKernels {
  void (*differences)(const Real* a, const Real* b, std::size_t count, DifferenceRule rule, Real* absolute,
                      Real* relative);
  BlockSums (*sums)(const Real* x, std::size_t count);
  double (*squares_sum)(const Real* x, std::size_t count, double mean);  // adds (x - mean)^2
  BlockExtremes<Real> (*extremes)(const Real* x, std::size_t count);
  // Counts the numbers, and copies those inside to `inside`, in order, unless it is null. NaN isn't counted.
  BlockSplit (*split)(const Real* x, std::size_t count, Real low, Real high, Real* inside);
  // Copies the numbers with low < x < high and returns their count. Cheaper than split() if there are hardly ever any.
  std::size_t (*collect)(const Real* x, std::size_t count, Real low, Real high, Real* inside);
  // Counts the elements that don't satisfy (absolute <= tolerance or relative <= tolerance).
  std::uint64_t (*count_beyond)(const Real* absolute, const Real* relative, std::size_t count,
                                double absolute_tolerance, double relative_tolerance);
  BlockMeasure<Real> (*measure)(const Real* a, const Real* b, const Real* absolute, const Real* relative,
                                std::size_t count, double absolute_tolerance, double relative_tolerance);
};

// Returns the kernels for this processor. Real: float or double.
template <class Real>
const BlockKernels<Real>& block_kernels();

// Returns the largest distance (ulp_distance.h) between two blocks of floats, ignoring NaN.
std::uint32_t largest_ulp(const float* a, const float* b, std::size_t count);

}  // namespace assay::stats

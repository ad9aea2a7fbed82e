// The inner loops of comparing: on blocks of at most kBlock numbers that lie in the first-level cache, in the vector
// instructions of the processor that runs them (Highway picks at run time). Each is one step; who calls them decides
// what is added to what, and in which order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stats/read_block.h"

namespace assay::stats {

// Room behind a block, which kernels may read and write: they work in whole vectors.
inline constexpr std::size_t kSlack = 64;

template <class Real>
struct alignas(64) BlockOf {
  Real values[kBlock + kSlack];
};

// How |a - b| and |a - b| / |b| are taken.
struct DifferenceRule {
  bool infinities_equal = false;  // infinities of the same sign differ by 0
  bool replace_zero = true;       // divide by 2^-52 where b is 0
};

template <class Real>
struct BlockExtremes {
  Real min, max;  // of the elements that are numbers; infinity and -infinity where none is
  bool has_nan = false;
};

// Numbers of one sign or the other of a threshold.
struct BlockSplit {
  std::uint64_t low = 0;     // x <= low; for low == high: x < low
  std::uint64_t inside = 0;  // low < x < high; for low == high: x == low
};

// What the sums of MeasureKernel stand for: measure.h.
template <class Real>
struct BlockMeasure {
  double absolute_sum, relative_sum;
  Real absolute_max, relative_max;  // of those that are numbers; -1 where none is
  Real first_peak;
  double first_squared, second_squared, product, difference_squared;
  std::uint64_t beyond;
  bool special;  // an element or an error is not finite: counts and sums of errors have to be taken one by one
};

template <class Real>
struct BlockKernels {
  void (*differences)(const Real* a, const Real* b, std::size_t count, DifferenceRule rule, Real* absolute,
                      Real* relative);
  // Sums in NumPy's order (pairwise_sum.h), of at most kBlock numbers.
  Real (*sum)(const Real* x, std::size_t count);
  Real (*magnitude_sum)(const Real* x, std::size_t count);
  Real (*squares_sum)(const Real* x, std::size_t count, Real mean);  // of (x - mean)^2
  BlockExtremes<Real> (*extremes)(const Real* x, std::size_t count);
  // Counts, and, where `inside` is not null, writes the numbers inside there, in their order. NaN is nowhere.
  BlockSplit (*split)(const Real* x, std::size_t count, Real low, Real high, Real* inside);
  // Numbers inside only; cheaper than split() where there are nearly always none.
  std::size_t (*collect)(const Real* x, std::size_t count, Real low, Real high, Real* inside);
  // Elements whose errors are not (absolute <= tolerance or relative <= tolerance).
  std::uint64_t (*count_beyond)(const Real* absolute, const Real* relative, std::size_t count,
                                double absolute_tolerance, double relative_tolerance);
  BlockMeasure<Real> (*measure)(const Real* a, const Real* b, const Real* absolute, const Real* relative,
                                std::size_t count, double absolute_tolerance, double relative_tolerance);
};

// The kernels for this processor. Real: float or double.
template <class Real>
const BlockKernels<Real>& block_kernels();

// The largest distance (ulp_distance.h) of two blocks of floats; NaN is left out.
std::uint32_t largest_ulp(const float* a, const float* b, std::size_t count);

}  // namespace assay::stats

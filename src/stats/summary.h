// The statistics by which a person judges a tensor or an error: mean, spread, extremes, quantiles.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "stats/columns.h"
#include "stats/numpy_arithmetic.h"
#include "stats/series.h"
#include "tensor/tensor.h"

namespace assay::stats {

// For an empty series, all members are 0. If there is a NaN, all statistics are NaN, and min_at and max_at are the
// position of the first NaN.
struct Summary {
  std::uint64_t count = 0;
  double mean = 0;
  double std_dev = 0;  // of the population (division by n)
  double variance = 0;
  double median = 0;
  double min = 0;
  double max = 0;
  double mean_magnitude = 0;         // of the absolute values
  double p90 = 0, p95 = 0, p99 = 0;  // interpolated linearly; 0 for booleans
  std::uint64_t min_at = 0;          // position of the first minimum in row-major order
  std::uint64_t max_at = 0;
  bool has_percentiles = true;
};

template <class Real>
using VisitBlock = std::function<void(int thread, std::uint64_t begin, std::size_t count, const Real* const* blocks)>;

// Returns a summary of each column. Median, extremes, their positions and percentiles equal NumPy's to the last bit,
// for every Arithmetic, except that 64-bit integers beyond 2^53 are taken for the nearest doubles: two that differ may
// count as equal. Mean, variance and standard deviation are computed in double, so they are as close to the true value
// as NumPy's or closer. Reads the columns two or three times and needs a few MB, whatever their size. `threads`: 0 for
// as many as are worthwhile; doesn't change the result. `visit`, unless empty, is called with every block of the first
// pass, to compute other things on the way. Its thread is below threads_for(columns.size(), threads), and each thread
// sees its blocks in rising order.
template <class Real>
std::vector<Summary> summarize(const Columns<Real>& columns, std::span<const Arithmetic> arithmetics, int threads = 0,
                               const VisitBlock<Real>& visit = {});

template <class Real>
Summary summarize(const Series<Real>& series, Arithmetic arithmetic) {
  return summarize<Real>(OneColumn<Real>(series), std::array{arithmetic}).front();
}

// The tensor must be numeric (is_numeric).
Summary summarize(const tensor::Tensor& tensor);

// Returns numpy.quantile(series, fraction), 0 <= fraction <= 1; NaN if the series is empty or holds a NaN.
template <class Real>
double quantile(const Series<Real>& series, Arithmetic arithmetic, double fraction);

}  // namespace assay::stats

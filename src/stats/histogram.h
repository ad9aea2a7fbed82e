// A histogram with ten bins of equal width between the smallest and the largest number, like numpy.histogram.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "stats/columns.h"
#include "stats/summary.h"

namespace assay::stats {

inline constexpr std::size_t kHistogramBins = 10;

struct Histogram {
  double min = 0;
  double max = 0;
  std::array<std::uint64_t, kHistogramBins> counts{};
};

// Returns a histogram of the finite numbers of each column, in one pass; `summaries` are those of the columns. Their
// extremes may be wider, so that columns have the same bins. If the extremes of a column aren't finite, its counts are
// 0.
template <class Real>
std::vector<Histogram> histograms_of(const Columns<Real>& columns, std::span<const Summary> summaries);

// Returns the lower end of bin `i`, or the upper end of the last one for i = kHistogramBins.
double edge(const Histogram& histogram, std::size_t i);

// Formats a line for each bin: its ends, its count and a bar. Returns an empty string if all counts are 0.
std::string draw(const Histogram& histogram);

}  // namespace assay::stats

// How many numbers lie where: ten ranges of equal width between the smallest and the largest, as numpy.histogram has
// them.
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

// One of each column, in one pass; `summaries` are those of the columns. All counts are 0 where the extremes of a
// column are not finite.
template <class Real>
std::vector<Histogram> histograms_of(const Columns<Real>& columns, std::span<const Summary> summaries);

// A line for each range: its ends, its count, and a bar. Empty where there is nothing to count.
std::string draw(const Histogram& histogram);

}  // namespace assay::stats

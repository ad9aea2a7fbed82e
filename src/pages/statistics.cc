#include "pages/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "stats/finite_summary.h"
#include "stats/read_block.h"

namespace assay::pages {
namespace {

constexpr std::size_t kBins = 32;

bool is_complex(tensor::ElementType type) {
  return type == tensor::ElementType::complex64 || type == tensor::ElementType::complex128;
}

}  // namespace

std::vector<report::PageStatistics> statistics_of(const std::vector<SideValues>& sides) {
  std::vector<report::PageStatistics> all;
  std::vector<tensor::Tensor> values;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const SideValues& side : sides) {
    values.push_back(is_complex(side.values.type()) ? stats::as_pairs(side.values) : side.values);
    if (!stats::is_numeric(values.back().type())) return {};
    const stats::FiniteSummary found = stats::summarize_finite(values.back());
    report::PageStatistics& statistics = all.emplace_back();
    statistics.side = side.side;
    statistics.nans = found.nans;
    statistics.infinities = found.infinities;
    if (found.finite == 0) continue;
    statistics.minimum = found.min;
    statistics.maximum = found.max;
    statistics.mean = found.mean;
    statistics.deviation = found.deviation;
    low = std::min(low, found.min);
    high = std::max(high, found.max);
  }
  if (low == high) {  // as NumPy: a range of width 1
    low -= 0.5;
    high += 0.5;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::isnan(all[i].minimum)) continue;
    std::vector<std::uint64_t> counts = stats::count_in_bins(values[i], low, high, kBins);
    if (!counts.empty()) all[i].histogram = {.low = low, .high = high, .counts = std::move(counts)};
  }
  return all;
}

}  // namespace assay::pages

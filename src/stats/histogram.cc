#include "stats/histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stats/scan.h"

namespace assay::stats {

double edge(const Histogram& histogram, std::size_t i) {
  const double step = (histogram.max - histogram.min) / static_cast<double>(kHistogramBins);
  return i == kHistogramBins ? histogram.max : histogram.min + step * static_cast<double>(i);
}

namespace {

constexpr std::size_t kBarLength = 40;

// A bin includes its lower end, the last one also its upper end. The division may be off by one at an edge.
std::size_t bin_of(const Histogram& histogram, double value) {
  const double share = (value - histogram.min) / (histogram.max - histogram.min);
  auto bin = std::min(static_cast<std::size_t>(share * kHistogramBins), kHistogramBins - 1);
  if (bin > 0 && value < edge(histogram, bin)) --bin;
  if (bin + 1 < kHistogramBins && value >= edge(histogram, bin + 1)) ++bin;
  return bin;
}

Histogram empty_histogram(const Summary& summary) {
  // If all numbers are equal, NumPy takes a range of width 1 around them.
  if (summary.min == summary.max) return {summary.min - 0.5, summary.max + 0.5, {}};
  return {summary.min, summary.max, {}};
}

bool can_count(const Histogram& histogram) {
  return std::isfinite(histogram.max - histogram.min) && histogram.min < histogram.max;
}

}  // namespace

template <class Real>
std::vector<Histogram> histograms_of(const Columns<Real>& columns, std::span<const Summary> summaries) {
  std::vector<Histogram> result;
  for (const Summary& summary : summaries) result.push_back(empty_histogram(summary));
  const int threads = threads_for(columns.size(), 0);
  std::vector<std::vector<Histogram>> parts(static_cast<std::size_t>(threads), result);
  scan_columns(columns, threads, [&](int thread, std::uint64_t, std::size_t count, Real* const* blocks) {
    std::vector<Histogram>& part = parts[static_cast<std::size_t>(thread)];
    for (std::size_t column = 0; column < part.size(); ++column) {
      if (!can_count(part[column])) continue;
      for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<double>(blocks[column][i]);
        if (std::isfinite(value)) ++part[column].counts[bin_of(part[column], value)];
      }
    }
  });
  for (const auto& part : parts) {
    for (std::size_t column = 0; column < result.size(); ++column) {
      for (std::size_t bin = 0; bin < kHistogramBins; ++bin) result[column].counts[bin] += part[column].counts[bin];
    }
  }
  return result;
}

template std::vector<Histogram> histograms_of(const Columns<float>&, std::span<const Summary>);
template std::vector<Histogram> histograms_of(const Columns<double>&, std::span<const Summary>);

std::string draw(const Histogram& histogram) {
  const std::uint64_t most = std::ranges::max(histogram.counts);
  if (most == 0) return {};
  std::vector<std::string> ranges;
  std::size_t width = 0;
  for (std::size_t i = 0; i < kHistogramBins; ++i) {
    ranges.push_back(fmt::format("({:.3g}, {:.3g})", edge(histogram, i), edge(histogram, i + 1)));
    width = std::max(width, ranges.back().size());
  }
  std::string text;
  for (std::size_t i = 0; i < kHistogramBins; ++i) {
    const double share = static_cast<double>(histogram.counts[i]) / static_cast<double>(most);
    const std::string bar(static_cast<std::size_t>(share * kBarLength), '#');
    text += fmt::format("{}{:<{}} | {:>10} | {}", i == 0 ? "" : "\n", ranges[i], width, histogram.counts[i], bar);
  }
  return text;
}

}  // namespace assay::stats

#include "stats/finite_summary.h"

#include <algorithm>
#include <cmath>

#include "stats/parallel.h"
#include "stats/scan.h"

namespace assay::stats {
namespace {

// The statistics of a part of the values.
struct Part {
  FiniteSummary summary;  // without the deviation
  double squares = 0;     // the sum of squared distances from the mean

  void add(double value) {
    if (!std::isfinite(value)) {
      ++(std::isnan(value) ? summary.nans : summary.infinities);
      return;
    }
    if (summary.finite == 0) summary.min = summary.max = value;
    summary.min = std::min(summary.min, value);
    summary.max = std::max(summary.max, value);
    ++summary.finite;
    const auto count = static_cast<double>(summary.finite);
    const double distance = value - summary.mean;
    summary.mean += std::isfinite(distance) ? distance / count : value / count - summary.mean / count;
    squares += distance * (value - summary.mean);
  }

  void add(const Part& other) {
    const FiniteSummary& more = other.summary;
    summary.nans += more.nans;
    summary.infinities += more.infinities;
    if (more.finite == 0) return;
    if (summary.finite == 0) {
      summary.min = more.min;
      summary.max = more.max;
    }
    summary.min = std::min(summary.min, more.min);
    summary.max = std::max(summary.max, more.max);
    const auto before = static_cast<double>(summary.finite);
    const auto added = static_cast<double>(more.finite);
    const double share = added / (before + added);
    const double distance = more.mean - summary.mean;
    summary.finite += more.finite;
    summary.mean = std::lerp(summary.mean, more.mean, share);  // the distance may overflow
    squares += other.squares;
    if (before > 0) squares += distance * distance * before * share;
  }
};

}  // namespace

FiniteSummary summarize_finite(const tensor::Tensor& tensor) {
  const TensorSeries<double> series(tensor);
  const OneColumn<double> column(series);
  std::vector<Part> parts(pieces_of(column));
  scan_columns(column, threads_for(column.size(), 0),
               [&](int, std::uint64_t begin, std::size_t count, double* const* blocks) {
                 Part& part = parts[static_cast<std::size_t>(begin / kPiece)];
                 for (std::size_t i = 0; i < count; ++i) part.add(blocks[0][i]);
               });
  Part all;
  for (const Part& part : parts) all.add(part);
  if (all.summary.finite > 0) all.summary.deviation = std::sqrt(all.squares / static_cast<double>(all.summary.finite));
  return all.summary;
}

std::vector<std::uint64_t> count_in_bins(const tensor::Tensor& tensor, double low, double high, std::size_t bins) {
  if (!std::isfinite(high - low) || !(low < high) || bins == 0) return {};
  const TensorSeries<double> series(tensor);
  const OneColumn<double> column(series);
  const int threads = threads_for(column.size(), 0);
  std::vector<std::vector<std::uint64_t>> parts(static_cast<std::size_t>(threads), std::vector<std::uint64_t>(bins));
  scan_columns(column, threads, [&](int thread, std::uint64_t, std::size_t count, double* const* blocks) {
    std::vector<std::uint64_t>& part = parts[static_cast<std::size_t>(thread)];
    for (std::size_t i = 0; i < count; ++i) {
      const double value = blocks[0][i];
      if (!std::isfinite(value)) continue;
      const double share = std::clamp((value - low) / (high - low), 0.0, 1.0);
      ++part[std::min(static_cast<std::size_t>(share * static_cast<double>(bins)), bins - 1)];
    }
  });
  std::vector<std::uint64_t> counts(bins);
  for (const auto& part : parts) {
    for (std::size_t bin = 0; bin < bins; ++bin) counts[bin] += part[bin];
  }
  return counts;
}

}  // namespace assay::stats

#include "run/timings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace assay::run {
namespace {

double quantile(const std::vector<double>& sorted, double fraction) {
  const double at = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - static_cast<double>(below));
}

}  // namespace

TimingSummary summarize_timings(std::vector<double> seconds) {
  if (seconds.empty()) return {};
  std::ranges::sort(seconds);
  TimingSummary summary;
  summary.iterations = seconds.size();
  summary.total = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  summary.mean = summary.total / static_cast<double>(seconds.size());
  summary.least = seconds.front();
  summary.lower_quartile = quantile(seconds, 0.25);
  summary.median = quantile(seconds, 0.5);
  summary.upper_quartile = quantile(seconds, 0.75);
  summary.most = seconds.back();
  return summary;
}

std::string describe_timings(const TimingSummary& summary) {
  const auto ms = [](double seconds) { return fmt::format("{:.4g}", seconds * 1e3); };
  if (summary.iterations < 2) return fmt::format("Completed 1 iteration in {} ms", ms(summary.total));
  return fmt::format(
      "Completed {} iterations in {} ms | Average: {} ms | Median: {} ms, half of them from {} to {} ms, all from {} "
      "to {} ms",
      summary.iterations, ms(summary.total), ms(summary.mean), ms(summary.median), ms(summary.lower_quartile),
      ms(summary.upper_quartile), ms(summary.least), ms(summary.most));
}

}  // namespace assay::run

#include "locate/rank_births.h"

#include <algorithm>
#include <cmath>

namespace assay::locate {
namespace {

constexpr std::size_t kLargestTried = 3;
constexpr double kWorthMentioning = 0.1;  // smaller shares are not significant
constexpr double kEqualShares = 0.05;     // shares that differ by less count as equal

double share_of(double outputs_error, double without) {
  if (std::isinf(outputs_error)) return std::isinf(without) ? 0 : 1;
  return std::clamp(1 - without / outputs_error, 0.0, 1.0);
}

// Returns the largest births and the first one.
std::vector<Reading> candidates(const std::vector<Reading>& by_size, const Reading& first) {
  std::vector<Reading> tried(by_size.begin(),
                             by_size.begin() + static_cast<std::ptrdiff_t>(std::min(kLargestTried, by_size.size())));
  if (std::ranges::find(tried, first.cell, &Reading::cell) == tried.end()) tried.push_back(first);
  return tried;
}

}  // namespace

std::optional<double> RankedBirths::share_of(CellId cell) const {
  const auto at = share.find(cell);
  return at == share.end() ? std::nullopt : std::optional(at->second);
}

base::Expected<RankedBirths> rank_births(const std::vector<Reading>& alone, double outputs_error, int runs,
                                         const ErrorWithout& error_without) {
  RankedBirths ranked;
  std::vector<Reading> by_size;
  std::ranges::copy_if(alone, std::back_inserter(by_size), &Reading::differs);
  if (by_size.empty()) return ranked;
  const Reading first = by_size.front();
  std::ranges::stable_sort(by_size, std::greater(), &Reading::size);
  ranked.worst = by_size.front().cell;
  if (by_size.size() == 1 || std::isinf(by_size.front().size) || outputs_error == 0) return ranked;

  double best = 0;
  const std::vector<Reading> tried = candidates(by_size, first);
  for (const Reading& birth : tried) {
    if (runs-- <= 0) break;
    ASSAY_ASSIGN(const std::optional<double> without, error_without(birth.cell));
    if (!without) continue;
    const double share = share_of(outputs_error, *without);
    ranked.share[birth.cell] = share;
    best = std::max(best, share);
  }
  if (best < kWorthMentioning) return ranked;
  const auto is_best = [&](const Reading& birth) {
    const std::optional<double> share = ranked.share_of(birth.cell);
    return share && *share >= best - kEqualShares;
  };
  ranked.worst = std::ranges::find_if(tried, is_best)->cell;  // the largest error comes first
  return ranked;
}

base::Expected<RankedBirths> rank_births(const std::vector<Reading>& alone, const std::vector<Layer>& outputs, int runs,
                                         EngineProbe& probe) {
  double outputs_error = 0;
  for (const Layer& output : outputs) {
    if (output.in_model.differs) outputs_error = std::max(outputs_error, output.in_model.size);
  }
  const auto error_without = [&](CellId cell) -> base::Expected<std::optional<double>> {
    ASSAY_ASSIGN(const auto readings, probe.outputs_without(std::span(&cell, 1)));
    if (!readings) return std::nullopt;
    double size = 0;
    for (const Reading& reading : *readings) size = std::max(size, reading.size);
    return size;
  };
  return rank_births(alone, outputs_error, runs, error_without);
}

}  // namespace assay::locate

#include "blame/rank_by_error.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <span>

namespace assay::blame {
namespace {

// A range is halved if its error is at least this part of the error at which runs begin to fail. Was measured: a
// smaller part takes more runs, and with a larger part more numbers are kept.
constexpr double kLargePart = 0.35;
// If one half has at most this part of the error of both, that of the other half follows from it. Was measured: a
// smaller part takes more runs, and as many numbers are kept.
constexpr double kTellsOther = 0.9;

struct Range {
  std::span<const int> numbers;
  double error = 0;  // if only these run in float16

  // Returns the error of each number if all have the same. Errors are taken for independent: their squares add up.
  [[nodiscard]] double error_of_each() const { return error / std::sqrt(static_cast<double>(numbers.size())); }
};

// Returns the range of several numbers with the largest error, or ranges.end().
std::vector<Range>::iterator find_largest(std::vector<Range>& ranges) {
  const auto error = [](const Range& range) { return range.numbers.size() > 1 ? range.error : -1; };
  const auto largest = std::ranges::max_element(ranges, {}, error);
  return largest == ranges.end() || largest->numbers.size() < 2 ? ranges.end() : largest;
}

}  // namespace

base::Expected<std::optional<std::vector<int>>> rank_by_error(int nodes, const std::vector<int>& always, double whole,
                                                              const PrecisionTest& test) {
  std::vector<int> all(static_cast<std::size_t>(nodes)), chosen;
  std::iota(all.begin(), all.end(), 0);
  std::ranges::set_difference(all, always, std::back_inserter(chosen));
  std::vector<Range> ranges = {{chosen, whole}};
  double least_failing = whole, most_passing = 0;
  const auto error_of = [&](std::span<const int> numbers) -> base::Expected<std::optional<double>> {
    std::vector<int> kept;
    std::ranges::set_difference(all, numbers, std::back_inserter(kept));
    ASSAY_ASSIGN(const PrecisionTrial trial, test(kept));
    if (!trial.error) return std::nullopt;
    if (trial.passes) {
      most_passing = std::max(most_passing, *trial.error);
    } else {
      least_failing = std::min(least_failing, *trial.error);
    }
    return trial.error;
  };
  for (auto largest = find_largest(ranges); largest != ranges.end(); largest = find_largest(ranges)) {
    // Outputs differ in what they allow, so a run can fail with a smaller error than one that passes.
    if (largest->error < kLargePart * std::max(least_failing, most_passing)) break;
    const std::size_t middle = largest->numbers.size() / 2;
    const std::span<const int> first = largest->numbers.first(middle), second = largest->numbers.subspan(middle);
    ASSAY_ASSIGN(const std::optional<double> first_error, error_of(first));
    if (!first_error) return std::nullopt;
    const double part = *first_error / largest->error;
    std::optional<double> second_error = largest->error * std::sqrt(std::max(0.0, 1 - part * part));
    if (part > kTellsOther) {
      ASSAY_ASSIGN(second_error, error_of(second));
      if (!second_error) return std::nullopt;
    }
    *largest = {first, *first_error};
    ranges.insert(std::next(largest), {second, *second_error});
  }
  std::ranges::stable_sort(ranges, std::greater(), &Range::error_of_each);
  std::vector<int> ranked;
  for (const Range& range : ranges) ranked.insert(ranked.end(), range.numbers.begin(), range.numbers.end());
  return ranked;
}

}  // namespace assay::blame

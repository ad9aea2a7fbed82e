// Bisection as a value that copes with unresolved verdicts.
//
// The range is divided at the golden section, nearer to the passing end. If all positions are equally probable, that
// costs 4 % more checks than the middle (its entropy is 0.96 bit), but it has two benefits: candidates are smaller, and
// the more probable outcome has a probability of 0.62, so two checks at once advance the search by 1.62 steps, not 1.5.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

constexpr double kGoldenSection = 0.381966;  // 1 - 1 / golden ratio

// The positions strictly between pass_end and fail_end are open, in either direction; fail_end is known to fail,
// pass_end is known or assumed to pass. `git bisect` uses the same window, and skips unresolved positions in a similar
// way.
class DivideRange {
 public:
  // The coordinate of each position, ascending. The larger the gap before a position, the more probably it is the first
  // that fails.
  using Scale = std::shared_ptr<const std::vector<double>>;

  // Without a scale, all positions are equally probable. A scale must cover both ends.
  DivideRange(int pass_end, int fail_end, Scale scale = nullptr)
      : pass_(pass_end), fail_(fail_end), scale_(std::move(scale)) {}

  // Returns the position to try: the one nearest to the golden section that isn't known to be unresolved. Returns
  // nothing once the search has ended.
  [[nodiscard]] std::optional<int> next() const;
  // Returns the probability that this position fails.
  [[nodiscard]] double chance(int position) const;
  void learn(int position, Verdict::Kind kind);
  // Returns the failing position nearest to the passing end so far.
  [[nodiscard]] int fails_at() const { return fail_; }

 private:
  [[nodiscard]] double place(int position) const;
  [[nodiscard]] int section(int low, int high) const;

  int pass_;
  int fail_;
  Scale scale_;
  std::set<int> unresolved_;
};

}  // namespace assay::reduce

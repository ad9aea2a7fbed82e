// Bisection as a value, with verdicts that say nothing.
//
// The range is divided by the golden section, nearer to the end that passes. That costs 4 % more checks than the middle
// where all positions are as probable (its entropy is 0.96 bit), and is worth it twice: candidates are smaller, and the
// more probable answer has a probability of 0.62, so that two checks at once get on 1.62 steps and not 1.5.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

constexpr double kGoldenSection = 0.381966;  // 1 - 1 / golden ratio

// Positions pass_end+1 .. fail_end-1 (or the other way round) are open; fail_end is known to fail, pass_end is known or
// taken to pass. The same window as that of `git bisect`, which steps round what it cannot judge in the same way.
class DivideRange {
 public:
  // Where each position lies, ascending: the larger the gap before one, the more probably it is the first that fails.
  using Scale = std::shared_ptr<const std::vector<double>>;

  // Without a scale, all positions are as probable. One has to reach to both ends.
  DivideRange(int pass_end, int fail_end, Scale scale = nullptr)
      : pass_(pass_end), fail_(fail_end), scale_(std::move(scale)) {}

  // The position to try: the one nearest to the section that is not known to be unresolved. Absent: done.
  [[nodiscard]] std::optional<int> next() const;
  // That this position fails.
  [[nodiscard]] double chance(int position) const;
  void learn(int position, Verdict::Kind kind);
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

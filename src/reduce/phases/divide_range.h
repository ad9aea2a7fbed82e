// Bisection as a value, with verdicts that say nothing.
//
// The range is divided by the golden section, nearer to the end that passes. That costs 4 % more checks than the middle
// where all positions are as probable (its entropy is 0.96 bit), and is worth it twice: candidates are smaller, and the
// more probable answer has a probability of 0.62, so that two checks at once get on 1.62 steps and not 1.5.
#pragma once

#include <optional>
#include <set>

#include "reduce/oracle.h"

namespace assay::reduce {

// Positions pass_end+1 .. fail_end-1 (or the other way round) are open; fail_end is known to fail, pass_end is known or
// taken to pass. The same window as that of `git bisect`, which steps round what it cannot judge in the same way.
class DivideRange {
 public:
  DivideRange(int pass_end, int fail_end) : pass_(pass_end), fail_(fail_end) {}

  // The position to try: the one nearest to the section that is not known to be unresolved. Absent: done.
  [[nodiscard]] std::optional<int> next() const;
  // That this position fails, where every position is as probable to be the first that does.
  [[nodiscard]] double chance(int position) const;
  void learn(int position, Verdict::Kind kind);
  [[nodiscard]] int fails_at() const { return fail_; }

 private:
  int pass_;
  int fail_;
  std::set<int> unresolved_;
};

}  // namespace assay::reduce

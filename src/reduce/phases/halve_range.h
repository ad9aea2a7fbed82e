// Bisection as a value, with verdicts that say nothing.
#pragma once

#include <optional>
#include <set>

#include "reduce/oracle.h"

namespace assay::reduce {

// Positions pass_end+1 .. fail_end-1 (or the other way round) are open; fail_end is known to fail, pass_end is known or
// taken to pass. The same window as that of `git bisect`, which steps round what it cannot judge in the same way.
class HalveRange {
 public:
  HalveRange(int pass_end, int fail_end) : pass_(pass_end), fail_(fail_end) {}

  // The position to try: the one nearest to the middle that is not known to be unresolved. Absent: done.
  [[nodiscard]] std::optional<int> next() const;
  void learn(int position, Verdict::Kind kind);
  [[nodiscard]] int fails_at() const { return fail_; }

 private:
  int pass_;
  int fail_;
  std::set<int> unresolved_;
};

}  // namespace assay::reduce

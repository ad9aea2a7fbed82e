#include "reduce/judge/repeat_rule.h"

#include <algorithm>
#include <cmath>

namespace assay::reduce {

void RunCounts::add(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::fails:
      ++fails;
      return;
    case Verdict::Kind::passes:
      ++passes;
      return;
    case Verdict::Kind::unresolved:
      ++unresolved;
      return;
  }
}

int RepeatRule::fails_needed(int runs) const {
  constexpr double kRounding = 1e-9;  // 0.07 * 100 is a little more than 7
  return std::max(1, static_cast<int>(std::ceil(fail_ratio * runs - kRounding)));
}

std::optional<Verdict::Kind> RepeatRule::decide(const RunCounts& counts) const {
  using Kind = Verdict::Kind;
  if (counts.resolved() == 0 && counts.unresolved > 0) return Kind::unresolved;
  const int left = std::max(0, repeat - counts.all());
  const int needed = fails_needed(counts.resolved() + left);
  if (counts.fails >= needed) return Kind::fails;  // even if all remaining runs pass
  if (counts.fails + left < needed) return Kind::passes;
  return std::nullopt;
}

std::optional<int> repeats_needed(double chance, double error) {
  if (chance <= 0) return std::nullopt;
  if (chance >= 1 || error >= 1) return 1;
  constexpr double kRounding = 1e-9;
  const double runs = std::ceil(std::log(error) / std::log1p(-chance) - kRounding);
  return static_cast<int>(std::clamp(runs, 1.0, 1e9));
}

Interval failure_chance(int fails, int runs) {
  constexpr double kZ = 1.959963984540054;  // quantile of the normal distribution for 95 %
  const double n = runs;
  const double seen = fails / n;
  const double shrink = 1 + kZ * kZ / n;
  const double middle = (seen + kZ * kZ / (2 * n)) / shrink;
  const double half = kZ / shrink * std::sqrt(seen * (1 - seen) / n + kZ * kZ / (4 * n * n));
  return {.low = std::max(0.0, middle - half), .high = std::min(1.0, middle + half)};
}

}  // namespace assay::reduce

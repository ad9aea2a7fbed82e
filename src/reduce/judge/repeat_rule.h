// The rule for flaky checks: how often to run one, when to stop, and how certain the verdict is.
//
// A candidate is checked up to N times, but no longer than another run could change the verdict; if one failing run is
// enough and the first run fails, that is one run. Probabilities assume independent runs, which is right for random
// seeds and races, but not for a machine that is warming up.
#pragma once

#include <optional>

#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

// Counts how the runs of one candidate ended so far.
struct RunCounts {
  int fails = 0;
  int passes = 0;
  int unresolved = 0;

  void add(Verdict::Kind kind);
  [[nodiscard]] int resolved() const { return fails + passes; }
  [[nodiscard]] int all() const { return resolved() + unresolved; }
};

struct RepeatRule {
  int repeat = 1;  // most runs per candidate, at least 1
  // 0 to 1: the candidate fails if at least this fraction of its resolved runs fails, and at least one run.
  double fail_ratio = 0;

  // Returns how many of `runs` resolved runs have to fail, at least 1.
  [[nodiscard]] int fails_needed(int runs) const;
  // Returns the verdict, or nothing if another run is needed. If the first run can't be judged, the candidate is
  // unresolved at once: an invalid model is invalid every time. Later runs that can't be judged count only towards
  // `repeat`.
  [[nodiscard]] std::optional<Verdict::Kind> decide(const RunCounts& counts) const;
};

// Returns the smallest number of runs that all pass with a probability of at most `error` (above 0) if each fails with
// probability `chance`: ceil(ln(error) / ln(1 - chance)). Returns nothing if `chance` is 0.
std::optional<int> repeats_needed(double chance, double error);

// Returns the 95 % confidence interval of the probability of failure after `fails` of `runs` (at least 1): Wilson's
// score interval (E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22, 1927),
// which also holds for few runs and at 0 and 1 (Brown, Cai and DasGupta, Interval estimation for a binomial proportion,
// Statistical Science 16, 2001). Pass the lower end to repeats_needed() to be on the safe side.
struct Interval {
  double low = 0;
  double high = 1;
};
Interval failure_chance(int fails, int runs);

}  // namespace assay::reduce

// Checks that do not fail every time: how often to run one, when to stop, and how sure the verdict is.
//
// A candidate is checked up to N times. That decides as soon as no further run can change the answer; a failure that
// one run is enough to prove costs one run where it shows at once. What is said of chances takes runs for independent,
// which holds for random seeds and races, and not for a machine that is getting warm.
#pragma once

#include <optional>

#include "reduce/verdicts/oracle.h"

namespace assay::reduce {

// How the runs of one candidate ended so far.
struct RunCounts {
  int fails = 0;
  int passes = 0;
  int unresolved = 0;

  void add(Verdict::Kind kind);
  [[nodiscard]] int resolved() const { return fails + passes; }
  [[nodiscard]] int all() const { return resolved() + unresolved; }
};

struct RepeatRule {
  int repeat = 1;         // runs at most, at least 1
  double fail_ratio = 0;  // 0 to 1: the candidate fails where at least this part of its resolved runs, and at least
                          // one, does

  // How many of `runs` resolved runs have to fail, at least 1.
  [[nodiscard]] int fails_needed(int runs) const;
  // The verdict, or nothing where it takes another run. A candidate whose first run cannot be judged is unresolved at
  // once: a model that is no valid one is so every time. Later, a run that cannot be judged counts as if it had not
  // been made, except against `repeat`.
  [[nodiscard]] std::optional<Verdict::Kind> decide(const RunCounts& counts) const;
};

// The probability that the rule takes a candidate for a pass whose runs fail with probability `chance` each: that of
// fewer than fails_needed() among `repeat` runs, by the binomial distribution. With a fail_ratio of 0 it is
// (1 - chance)^repeat.
double chance_to_miss(double chance, const RepeatRule& rule);

// The fewest runs, one failure being enough, for which chance_to_miss() is at most `error` (over 0): ceil(ln(error) /
// ln(1 - chance)). None where `chance` is 0.
std::optional<int> repeats_needed(double chance, double error);

// Where the probability of a failure lies, by 95 %, having seen `fails` of `runs` (at least 1): Wilson's score interval
// (E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22, 1927), which is right
// for few runs and at 0 and 1, too (Brown, Cai and DasGupta, Interval estimation for a binomial proportion, Statistical
// Science 16, 2001). Take the lower end to be on the safe side in repeats_needed().
struct Interval {
  double low = 0;
  double high = 1;
};
Interval failure_chance(int fails, int runs);

}  // namespace assay::reduce

// Is the failure intermittent, and how often does each candidate have to be run because of that?
//
// A check that fails only sometimes makes a search keep nodes that it doesn't need: a candidate that happened to pass
// is never asked for again. So the most important models are run several times. If a verdict flips, the rate is
// estimated, and candidates are then run so often that a failing one rarely passes all its runs.
#pragma once

#include <memory>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "reduce/explore/explorer.h"

namespace assay::reduce {

class RepeatedRuns {
 public:
  // `rule`: what the user asked for. All but `rule` must outlive this object.
  RepeatedRuns(Explorer& explorer, base::Log& log, RepeatRule rule) : explorer_(explorer), log_(log), rule_(rule) {}

  // Judges the model `times` more times. Returns how many of these runs failed.
  base::Expected<int> run_again(const SharedModel& model, int times);
  // Finds out whether a whole model that passed fails in any of a few more runs. If so, sets the rule and returns true.
  base::Expected<bool> detect_in_whole(const SharedModel& passed);
  // Finds out, after all searches, whether the failure is intermittent: not all further runs of the result fail, or a
  // candidate has flipped (null: none). If so, sets the rule and returns true: the caller searches again. A result that
  // never fails again is replaced by an earlier one.
  base::Expected<bool> detect_in_result(const SharedModel& result, const SharedModel& flipped);

  // Returns whether each candidate is run several times, because the user asked for it or the failure is intermittent.
  [[nodiscard]] bool repeats() const { return rule_.repeat > 1; }
  // Returns how often the result is run again at the end.
  [[nodiscard]] int confirmations() const;
  [[nodiscard]] int next_run() const { return runs_; }
  // Claims `count` numbers of further runs (Proposal::further_run) for a search.
  void claim_runs(int count) { runs_ += count; }
  // Returns the verdicts of run_again() on this model; empty unless it was the last model to be run again.
  [[nodiscard]] std::vector<Verdict> verdicts_on(const SharedModel& model) const;

 private:
  void set_rule(double chance);

  Explorer& explorer_;
  base::Log& log_;
  RepeatRule rule_;
  int runs_ = 0;  // made or claimed
  SharedModel last_;
  std::vector<Verdict> verdicts_;  // on it
};

}  // namespace assay::reduce

// Is the failure intermittent, and how often does each candidate have to be run because of that?
//
// A check that fails only sometimes makes a search keep nodes that it doesn't need: a candidate that happened to pass
// is never asked for again. So the most important models are run several times. If a verdict flips, the rate is
// estimated, and candidates are then run so often that a failing one rarely passes all its runs.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "reduce/search/explorer.h"

namespace assay::reduce {

class RepeatedRuns {
 public:
  // Runs a search to its end.
  using Run = std::function<base::Status(Strategy&)>;
  // `rule`: what the user asked for. All but `rule` must outlive this object.
  RepeatedRuns(Explorer& explorer, base::Log& log, RepeatRule rule, Run run)
      : explorer_(explorer), log_(log), rule_(rule), run_(std::move(run)) {}

  // Judges the model `times` more times. Returns how many of these runs failed.
  base::Expected<int> run_again(const SharedModel& model, int times);
  // For a whole model that passed: does it fail in any of a few more runs? Then the rule is set, and the result is
  // true.
  base::Expected<bool> detect(const SharedModel& passed);
  // For the result, after all searches: do all of its runs fail, and has no candidate flipped (null: none)? If not, the
  // rule is set, and the result is true: search again. A result that never fails again is dropped for an earlier one.
  base::Expected<bool> detect(const SharedModel& result, const SharedModel& flipped);

  // Each candidate is run several times: because the user said so, or because the failure is intermittent.
  [[nodiscard]] bool repeats() const { return rule_.repeat > 1; }
  // Runs of the result at the end.
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
  Run run_;
  int runs_ = 0;  // made or claimed
  SharedModel last_;
  std::vector<Verdict> verdicts_;  // on it
};

}  // namespace assay::reduce

// Runs a flaky check several times and combines the runs into one verdict.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "base/error.h"
#include "reduce/judge/repeat_rule.h"
#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

// Judges the file that is there now: a check command, a person.
using FileJudge = std::function<base::Expected<Verdict>()>;

// Collects the runs of one candidate, for callers that start the runs themselves; repeat_judge() runs them in sequence.
class Runs {
 public:
  explicit Runs(RepeatRule rule) : rule_(rule) {}

  void add(Verdict verdict);
  // Returns the verdict of all runs, or nothing if another run is needed. It is the last run of the kind that won, with
  // the seconds of all runs and, if there was more than one, ": 3 of 4 runs failed" appended to its text (a Signature
  // ignores that).
  [[nodiscard]] std::optional<Verdict> verdict() const;
  [[nodiscard]] const RunCounts& counts() const { return counts_; }

 private:
  RepeatRule rule_;
  RunCounts counts_;
  double seconds_ = 0;
  std::array<Verdict, 3> last_;  // by kind
};

// Returns a judge that calls `judge` until the rule is satisfied.
FileJudge repeat_judge(FileJudge judge, RepeatRule rule);

}  // namespace assay::reduce

// Runs a check several times and makes one verdict of it.
#pragma once

#include <array>
#include <optional>

#include "base/error.h"
#include "reduce/judge/judge_files.h"
#include "reduce/judge/repeat_rule.h"
#include "reduce/verdicts/oracle.h"

namespace assay::reduce {

// The runs of one candidate, as they come in. For whoever starts them itself; repeat_judge() does it in a row.
class Runs {
 public:
  explicit Runs(RepeatRule rule) : rule_(rule) {}

  void add(Verdict verdict);
  // What all runs together say, or nothing where it takes another one: the last run of the kind that won, with the
  // seconds of all, and, for more than one run, ": 3 of 4 runs failed" behind its text (which leaves a Signature as it
  // is).
  [[nodiscard]] std::optional<Verdict> verdict() const;
  [[nodiscard]] const RunCounts& counts() const { return counts_; }

 private:
  RepeatRule rule_;
  RunCounts counts_;
  double seconds_ = 0;
  std::array<Verdict, 3> last_;  // by kind
};

// A judge that asks `judge` until the rule is satisfied.
FileJudge repeat_judge(FileJudge judge, RepeatRule rule);

}  // namespace assay::reduce

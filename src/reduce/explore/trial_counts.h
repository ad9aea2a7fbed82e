// Counts the checks of a reduction.
#pragma once

#include "reduce/verdicts/verdict.h"

namespace assay::reduce {

// Counts over a whole reduction. Checks of this run and verdicts of an earlier one are counted separately.
struct TrialCounts {
  int checks = 0;  // that this run made and a search asked for
  int failing = 0;
  int unresolved = 0;
  double check_seconds = 0;
  int replayed = 0;  // verdicts from a replay file or a journal
  int replayed_failing = 0;
  int replayed_unresolved = 0;
  int known = 0;  // candidates that needed no check, since an equal one had been judged
  int ahead = 0;  // checks that were started while looking ahead, on candidates that no search asked for

  void add(const Verdict& verdict);

  // Returns the number that --max-checks limits. A resumed run counts the verdicts of the earlier one, too.
  [[nodiscard]] int asked() const { return checks + replayed; }
  [[nodiscard]] int all_failing() const { return failing + replayed_failing; }
};

}  // namespace assay::reduce

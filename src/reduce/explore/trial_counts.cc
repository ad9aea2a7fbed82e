#include "reduce/explore/trial_counts.h"

namespace assay::reduce {

void TrialCounts::add(const Verdict& verdict) {
  const bool now = verdict.source == Verdict::Source::check;
  ++(now ? checks : replayed);
  if (verdict.kind == Verdict::Kind::fails) ++(now ? failing : replayed_failing);
  if (verdict.kind == Verdict::Kind::unresolved) ++(now ? unresolved : replayed_unresolved);
  if (now) check_seconds += verdict.seconds;
}

}  // namespace assay::reduce

#include "reduce/explore/further_runs.h"

namespace assay::reduce {
namespace {

constexpr double kFailsAgain = 0.9;

}  // namespace

std::optional<Proposal> FurtherRuns::next() {
  const int made = static_cast<int>(verdicts_.size());
  if (made >= times_) return std::nullopt;
  return Proposal{.draft = model_,
                  .pass = "again",
                  .what = "the same model again",
                  .chance_to_fail = kFailsAgain,
                  .further_run = first_ + made};
}

}  // namespace assay::reduce

// Is it known? Looks the failure up in the list that ships with Assay.
#include "diagnose/known_issues.h"
#include "diagnose/steps.h"

namespace assay::diagnose {

using report::Mark;

base::Expected<report::PageStep> look_up_issue(const Case& task, Facts& facts, StepContext& /*context*/) {
  if (facts.failure == Failure::none && !facts.defect_is_official) {
    return make_answer(Mark::skipped, "not asked: nothing fails");
  }
  ASSAY_ASSIGN(const std::optional<KnownIssue> found, find_known_issue(task, facts));
  if (!found) return make_answer(Mark::note, "not in Assay's list");
  facts.known = *found;
  return make_answer(Mark::good, "yes: " + found->what + " (" + found->link + ")");
}

}  // namespace assay::diagnose

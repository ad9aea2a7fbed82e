#include "cli/commands/debug/repeat.h"

#include "cli/options/judge_iteration.h"
#include "cli/repeat_check.h"

namespace assay::cli {

void DebugRepeat::add_options(CLI::App& app) {
  check_.add_to(app);
  iterations_.add_to(app, {.iter_artifact = {}, .until = true});
}

base::Expected<int> DebugRepeat::run(Context& context) {
  ASSAY_TRY(iterations_.until());
  ASSAY_ASSIGN(const reduce::FileJudge judge, judge_iteration(check_, context, "this iteration"));
  return repeat_check(iterations_, judge, context);
}

}  // namespace assay::cli

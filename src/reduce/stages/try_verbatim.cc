#include "reduce/stages/try_verbatim.h"

#include "reduce/judge/repeat_judge.h"

namespace assay::reduce {

base::Status try_verbatim(Reducer& reducer) {
  Reduction& result = reducer.result();
  if (reducer.parts().judge_file) {
    ASSAY_ASSIGN(const Verdict verdict, repeat_judge(reducer.parts().judge_file, reducer.options().rule)());
    ++result.counts.checks;
    result.counts.check_seconds += verdict.seconds;
    result.verbatim = verdict.kind == Verdict::Kind::fails;
    result.verdict = verdict;
  }
  if (!result.verbatim) {
    return base::fail(base::ErrorKind::invalid_input, "the model does not fail the check",
                      reducer.model()->path.string(), "Run the check on it by hand to see what it reports");
  }
  ++result.counts.failing;
  reducer.parts().log.warning(
      "The file fails, but not once it is rewritten: the failure lies in what writing changes (unused parts, how "
      "values are stored). The result is the unchanged file.");
  return {};
}

}  // namespace assay::reduce

#include "reduce/stages/try_verbatim.h"

#include <fmt/format.h>

#include "reduce/judge/repeat_judge.h"

namespace assay::reduce {
namespace {

// Returns an error for a whole model that doesn't fail. A check that ends badly, but not as the options demand, may be
// due to a mistake in them.
base::Error describe_no_failure(const Verdict& verdict, const std::string& file) {
  std::string fix = "Run the check on it by hand to see what it reports";
  if (verdict.kind == Verdict::Kind::unresolved) {
    fix = fmt::format("The check can't judge it: {}. {}", verdict.text, fix);
  } else if (!verdict.text.empty() && verdict.text != "exit code 0") {
    fix = fmt::format("The check ended with {}, which the options don't count as this failure. {}", verdict.text, fix);
  }
  return {base::ErrorKind::invalid_input, "the model does not fail the check", file, fix};
}

}  // namespace

base::Status try_verbatim(Reducer& reducer) {
  Reduction& result = reducer.result();
  Verdict last;  // on the unchanged file
  if (reducer.parts().judge_file) {
    ASSAY_ASSIGN(const Verdict verdict, repeat_judge(reducer.parts().judge_file, reducer.options().rule)());
    ++result.counts.checks;
    result.counts.check_seconds += verdict.seconds;
    result.verbatim = verdict.kind == Verdict::Kind::fails;
    result.verdict = verdict;
    last = verdict;
  }
  if (!result.verbatim) return base::fail(describe_no_failure(last, reducer.model()->path.string()));
  ++result.counts.failing;
  reducer.parts().log.warning(
      "The file fails, but not once it is rewritten: the failure lies in what writing changes (unused parts, how "
      "values are stored). The result is the unchanged file.");
  return {};
}

}  // namespace assay::reduce

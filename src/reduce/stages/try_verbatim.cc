#include "reduce/stages/try_verbatim.h"

#include <fmt/format.h>

#include "base/shorten_middle.h"
#include "base/strings.h"
#include "reduce/judge/repeat_judge.h"
#include "reduce/judge/signature.h"

namespace assay::reduce {
namespace {

constexpr std::size_t kQuoted = 200;  // characters of the check's output

// Returns the last line of the check's output, shortened; empty if it printed nothing.
std::string last_line(const Verdict& verdict) {
  const std::vector<std::string> lines = base::split(base::trim(verdict.output), '\n');
  return lines.empty() ? "" : base::shorten_middle(lines.back(), kQuoted);
}

// Returns an error for a whole model that doesn't fail. A check that ends badly, but not as the options demand, may be
// due to a mistake in them.
base::Error describe_no_failure(const Verdict& verdict, const std::string& file) {
  const std::string by_hand = "Run the check on it by hand to see what it reports";
  const std::string last = last_line(verdict);
  const std::string reported = last.empty() ? by_hand : fmt::format("Its output ends with \"{}\"", last);
  std::string fix = by_hand + ". If it fails only sometimes, allow more runs with --repeat";
  if (verdict.kind == Verdict::Kind::unresolved) {
    fix = fmt::format("The check can't judge it: {}. {}", verdict.text, reported);
  } else if (verdict.lacks_match) {
    fix = last.empty() ? fmt::format("The check printed nothing ({})", verdict.text)
                       : fmt::format(
                             "The check's output ends with \"{}\" ({}). In a pattern, ^ and $ stand for the start and "
                             "the end of the whole output, or after (?m) for those of each line",
                             last, verdict.text);
  } else if (const std::string ending = ending_of(verdict); !ending.empty() && ending != "exit status 0") {
    fix = fmt::format("The check ended ({}), but the options don't count that as the failure. {}", verdict.text,
                      reported);
  }
  return {base::ErrorKind::invalid_input, "the model does not fail the check", file, fix};
}

}  // namespace

base::Status try_verbatim(Reducer& reducer) {
  Reduction& result = reducer.result();
  if (reducer.parts().judge_file) {
    ASSAY_TRY(reducer.explorer().stop_checks());
    ASSAY_ASSIGN(result.verdict,
                 reducer.explorer().run_unsaved(repeat_judge(reducer.parts().judge_file, reducer.options().rule)));
    result.verbatim = result.verdict.kind == Verdict::Kind::fails;
  }
  if (!result.verbatim) return base::fail(describe_no_failure(result.verdict, reducer.model()->path.string()));
  reducer.log().warning(
      "The file fails, but not once it is rewritten: the failure lies in what writing changes (unused parts, how "
      "values are stored), or occurs only sometimes. The result is the unchanged file.");
  return {};
}

}  // namespace assay::reduce

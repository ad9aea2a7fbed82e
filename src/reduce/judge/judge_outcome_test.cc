#include "reduce/judge/judge_outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "base/strings.h"
#include "reduce/judge/signature.h"

namespace assay::reduce {
namespace {

using Kind = Verdict::Kind;
using Outcome = worker::Outcome<worker::Exited>;

Outcome exited(int code, std::string output = "out text\nerr text\n") {
  return worker::Exited{.code = code, .output = std::move(output)};
}
Outcome failure(worker::Failure value) {
  return tl::unexpected(std::move(value));
}
Kind kind(const FailRules& rules, const Outcome& outcome) {
  return OutcomeRules::make(rules).value().judge(outcome).value().kind;
}

// The verdicts in these tests are those of Polygraphy 0.53.6 with the same options and the same check.
TEST(OutcomeRules, TakesEveryCodeButZeroForAFailure) {
  EXPECT_EQ(kind({}, exited(0)), Kind::passes);
  EXPECT_EQ(kind({}, exited(3)), Kind::fails);
  EXPECT_EQ(kind({}, failure(worker::Crashed{.signal = SIGSEGV, .exit_code = 0, .last_output = {}})), Kind::fails);
}

TEST(OutcomeRules, FailsForGivenCodesOnly) {
  const FailRules rules{.fail_codes = {3, -SIGSEGV}, .ignore_fail_codes = {}, .patterns = {}};
  EXPECT_EQ(kind(rules, exited(3)), Kind::fails);
  EXPECT_EQ(kind(rules, exited(4)), Kind::passes);
  EXPECT_EQ(kind(rules, failure(worker::Crashed{.signal = SIGSEGV, .exit_code = 0, .last_output = {}})), Kind::fails);
  EXPECT_EQ(kind(rules, failure(worker::Crashed{.signal = SIGABRT, .exit_code = 0, .last_output = {}})), Kind::passes);
  EXPECT_EQ(kind({.fail_codes = {0}, .ignore_fail_codes = {}, .patterns = {}}, exited(0)), Kind::fails);
}

TEST(OutcomeRules, PassesForIgnoredCodes) {
  const FailRules rules{.fail_codes = {}, .ignore_fail_codes = {3}, .patterns = {}};
  EXPECT_EQ(kind(rules, exited(3)), Kind::passes);
  EXPECT_EQ(kind(rules, exited(4)), Kind::fails);
  EXPECT_EQ(kind(rules, exited(0)), Kind::passes);
}

TEST(OutcomeRules, LooksForPatternsWhateverTheCode) {
  const FailRules found{.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"nothing", "ou?t te"}};
  EXPECT_EQ(kind(found, exited(0)), Kind::fails);
  EXPECT_EQ(kind(found, exited(1)), Kind::fails);
  const FailRules absent{.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"zzz", "text.*err"}};
  EXPECT_EQ(kind(absent, exited(1)), Kind::passes);
}

TEST(OutcomeRules, SaysWhyAModelIsUnresolved) {
  const FailRules rules{.fail_codes = {3}, .ignore_fail_codes = {}, .patterns = {}};
  const auto cause = [&](const Outcome& outcome) {
    return OutcomeRules::make(rules).value().judge(outcome).value().cause;
  };
  EXPECT_EQ(cause(exited(125)), Verdict::Cause::rule);
  EXPECT_EQ(cause(failure(worker::TimedOut{.limit_s = 1})), Verdict::Cause::limit);
  EXPECT_EQ(cause(exited(3)), Verdict::Cause::unknown);
}

TEST(OutcomeRules, SaysThatOnlyThePatternIsMissing) {
  const auto text = [](const FailRules& rules, int code) {
    return OutcomeRules::make(rules).value().judge(exited(code)).value().text;
  };
  const FailRules rules{.fail_codes = {}, .ignore_fail_codes = {3}, .patterns = {"zzz"}};
  EXPECT_EQ(text(rules, 0), "exit status 0 without a match of --fail-regex");
  EXPECT_TRUE(OutcomeRules::make(rules).value().judge(exited(0)).value().lacks_match);
  EXPECT_FALSE(OutcomeRules::make(rules).value().judge(exited(3)).value().lacks_match);
  EXPECT_EQ(text(rules, 3), "exit status 3");
  EXPECT_EQ(text({}, 0), "exit status 0");
}

TEST(OutcomeRules, NeedsPatternAndCodeIfThereAreRulesForBoth) {
  const FailRules both{.fail_codes = {3}, .ignore_fail_codes = {}, .patterns = {"out"}};
  EXPECT_EQ(kind(both, exited(3)), Kind::fails);
  EXPECT_EQ(kind(both, exited(0)), Kind::passes);
  EXPECT_EQ(kind(both, exited(3, "quiet")), Kind::passes);
  const FailRules ignore{.fail_codes = {}, .ignore_fail_codes = {3}, .patterns = {"out"}};
  EXPECT_EQ(kind(ignore, exited(3)), Kind::passes);
  EXPECT_EQ(kind(ignore, exited(4)), Kind::fails);
}

TEST(OutcomeRules, FindsPatternsInTheOutputOfACrash) {
  const FailRules rules{.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"core dumped"}};
  EXPECT_EQ(kind(rules, failure(worker::Crashed{.signal = SIGABRT, .exit_code = 0, .last_output = "core dumped"})),
            Kind::fails);
}

TEST(OutcomeRules, TakesAnEndedCheckForAFailureUnlessThereAreRules) {
  const worker::Failure slow = worker::TimedOut{.limit_s = 1};
  EXPECT_EQ(kind({}, failure(slow)), Kind::fails);
  EXPECT_EQ(kind({.fail_codes = {1}, .ignore_fail_codes = {}, .patterns = {}}, failure(slow)), Kind::unresolved);
  EXPECT_EQ(kind({}, failure(worker::OutOfMemory{.limit_bytes = 1, .message = {}})), Kind::fails);
}

TEST(OutcomeRules, IsUnresolvedIfTheCheckSaysSo) {
  EXPECT_EQ(kind({}, exited(125)), Kind::unresolved) << "the code of git bisect run; Polygraphy takes it for a failure";
  const FailRules other{.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {}, .unresolved_codes = {7, -SIGKILL}};
  EXPECT_EQ(kind(other, exited(125)), Kind::fails);
  EXPECT_EQ(kind(other, exited(7)), Kind::unresolved);
  EXPECT_EQ(kind(other, failure(worker::Crashed{.signal = SIGKILL, .exit_code = 0, .last_output = {}})),
            Kind::unresolved);
  EXPECT_EQ(kind({.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {}, .unresolved_codes = {}}, exited(125)),
            Kind::fails);
}

TEST(OutcomeRules, PutsWhatCannotBeJudgedBeforeAllOtherRules) {
  const FailRules rules{.fail_codes = {},
                        .ignore_fail_codes = {},
                        .patterns = {"text"},
                        .unresolved_codes = {},
                        .unresolved_patterns = {"no engine", "err t"}};
  EXPECT_EQ(kind(rules, exited(1)), Kind::unresolved);
  EXPECT_EQ(kind(rules, exited(0)), Kind::unresolved);
  EXPECT_EQ(kind(rules, exited(1, "text")), Kind::fails);
  const FailRules code{.fail_codes = {3}, .ignore_fail_codes = {}, .patterns = {}, .unresolved_codes = {3}};
  EXPECT_EQ(kind(code, exited(3)), Kind::unresolved);
}

TEST(OutcomeRules, DoesNotTakeTheDefaultForARuleThatAnEndedCheckMisses) {
  EXPECT_EQ(kind({}, failure(worker::TimedOut{.limit_s = 1})), Kind::fails);
}

TEST(OutcomeRules, KeepsBothEndsOfWhatTheCheckWrote) {
  const OutcomeRules judge = OutcomeRules::make({}).value();
  EXPECT_EQ(judge.judge(exited(1, "error: no"))->output, "error: no");
  EXPECT_EQ(judge.judge(failure(worker::Crashed{.signal = SIGABRT, .exit_code = 0, .last_output = "core"}))->output,
            "core");
  const auto long_one = judge.judge(exited(1, "start" + std::string(1'000'000, 'x') + "end"));
  EXPECT_EQ(long_one->output.size(), kKeptOutput);
  EXPECT_TRUE(long_one->output.starts_with("startx"));
  EXPECT_TRUE(long_one->output.ends_with("xend"));
}

TEST(OutcomeRules, CutsALongOutputBetweenLines) {
  std::string output = "RuntimeError: no such output\n";
  while (output.size() < 2 * kKeptOutput) output += "    float_data: 0.5\n";
  const std::string kept = OutcomeRules::make({}).value().judge(exited(1, output))->output;
  EXPECT_LE(kept.size(), kKeptOutput);
  EXPECT_EQ(signature_of({.kind = Kind::fails, .text = "exit status 1", .output = kept}).headline,
            "RuntimeError: no such output");
  for (const std::string& line : base::split(base::trim(kept), '\n')) {
    EXPECT_TRUE(line == "RuntimeError: no such output" || line == "[...]" || line == "    float_data: 0.5") << line;
  }
}

TEST(OutcomeRules, GivesARequestToStopOn) {
  const auto verdict = OutcomeRules::make({}).value().judge(failure(worker::Stopped{}));
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().kind, base::ErrorKind::interrupted);
}

TEST(OutcomeRules, RefusesWhatIsNoRegularExpression) {
  const auto judge = OutcomeRules::make({.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"(unclosed"}});
  ASSERT_FALSE(judge);
  EXPECT_EQ(judge.error().where, "--fail-regex: (unclosed");
  FailRules unresolved;
  unresolved.unresolved_patterns = {"("};
  EXPECT_EQ(OutcomeRules::make(unresolved).error().where, "--unresolved-regex: (");
}

TEST(OutcomeRules, RefusesCodesThatNoProcessEndsWith) {
  FailRules rules;
  rules.fail_codes = {0, 255, -64};
  EXPECT_TRUE(OutcomeRules::make(rules));
  rules.fail_codes = {1, 256};
  const auto above = OutcomeRules::make(rules);
  ASSERT_FALSE(above);
  EXPECT_EQ(above.error().where, "--fail-code");
  EXPECT_THAT(above.error().what, testing::HasSubstr("256"));
  rules.fail_codes = {};
  rules.ignore_fail_codes = {-65};
  EXPECT_EQ(OutcomeRules::make(rules).error().where, "--ignore-fail-code");
  rules.ignore_fail_codes = {};
  rules.unresolved_codes = {1000};
  EXPECT_EQ(OutcomeRules::make(rules).error().where, "--unresolved-code");
}

TEST(OutcomeRules, IgnoresCaseOnRequest) {
  const FailRules rules{.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"(?i)OUT TEXT"}};
  EXPECT_EQ(kind(rules, exited(0)), Kind::fails);
}

TEST(OutcomeRules, MatchesALongLineWithoutRunningOutOfStack) {
  const FailRules rules{.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"^a.*b"}};
  EXPECT_EQ(kind(rules, exited(0, "a" + std::string(200'000, 'x'))), Kind::passes);
  EXPECT_EQ(kind(rules, exited(0, "a" + std::string(200'000, 'x') + "b")), Kind::fails);
}

TEST(OutcomeRules, NamesThePatternThatBacktracksWithoutEnd) {
  FailRules rules{.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"x", "(x+x+)+y"}};
  const Outcome outcome = exited(0, std::string(200, 'z') + "zy");
  EXPECT_EQ(kind(rules, outcome), Kind::passes);
  const Outcome slow = exited(0, std::string(200, 'x') + "zy");
  EXPECT_EQ(kind(rules, slow), Kind::fails) << "the first pattern has matched";
  rules.patterns = {"(x+x+)+y"};
  const auto verdict = OutcomeRules::make(rules)->judge(slow);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().where, "--fail-regex: (x+x+)+y");
}

}  // namespace
}  // namespace assay::reduce

#include "reduce/judge_outcome.h"

#include <gtest/gtest.h>

#include <csignal>

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
  return Judge::make(rules).value().judge(outcome).value().kind;
}

// The verdicts in these tests are those of Polygraphy 0.53.6 with the same options and the same check.
TEST(Judge, TakesEveryCodeButZeroForAFailure) {
  EXPECT_EQ(kind({}, exited(0)), Kind::passes);
  EXPECT_EQ(kind({}, exited(3)), Kind::fails);
  EXPECT_EQ(kind({}, failure(worker::Crashed{.signal = SIGSEGV, .exit_code = 0, .last_output = {}})), Kind::fails);
}

TEST(Judge, FailsForGivenCodesOnly) {
  const FailRules rules{.fail_codes = {3, -SIGSEGV}, .ignore_fail_codes = {}, .patterns = {}};
  EXPECT_EQ(kind(rules, exited(3)), Kind::fails);
  EXPECT_EQ(kind(rules, exited(4)), Kind::passes);
  EXPECT_EQ(kind(rules, failure(worker::Crashed{.signal = SIGSEGV, .exit_code = 0, .last_output = {}})), Kind::fails);
  EXPECT_EQ(kind(rules, failure(worker::Crashed{.signal = SIGABRT, .exit_code = 0, .last_output = {}})), Kind::passes);
  EXPECT_EQ(kind({.fail_codes = {0}, .ignore_fail_codes = {}, .patterns = {}}, exited(0)), Kind::fails);
}

TEST(Judge, PassesForIgnoredCodes) {
  const FailRules rules{.fail_codes = {}, .ignore_fail_codes = {3}, .patterns = {}};
  EXPECT_EQ(kind(rules, exited(3)), Kind::passes);
  EXPECT_EQ(kind(rules, exited(4)), Kind::fails);
  EXPECT_EQ(kind(rules, exited(0)), Kind::passes);
}

TEST(Judge, LooksForPatternsWhateverTheCode) {
  const FailRules found{.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"nothing", "ou?t te"}};
  EXPECT_EQ(kind(found, exited(0)), Kind::fails);
  EXPECT_EQ(kind(found, exited(1)), Kind::fails);
  const FailRules absent{.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"zzz", "text.*err"}};
  EXPECT_EQ(kind(absent, exited(1)), Kind::passes);
}

TEST(Judge, WantsPatternAndCodeWhereThereAreRulesForBoth) {
  const FailRules both{.fail_codes = {3}, .ignore_fail_codes = {}, .patterns = {"out"}};
  EXPECT_EQ(kind(both, exited(3)), Kind::fails);
  EXPECT_EQ(kind(both, exited(0)), Kind::passes);
  EXPECT_EQ(kind(both, exited(3, "quiet")), Kind::passes);
  const FailRules ignore{.fail_codes = {}, .ignore_fail_codes = {3}, .patterns = {"out"}};
  EXPECT_EQ(kind(ignore, exited(3)), Kind::passes);
  EXPECT_EQ(kind(ignore, exited(4)), Kind::fails);
}

TEST(Judge, FindsPatternsInTheOutputOfACrash) {
  const FailRules rules{.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"core dumped"}};
  EXPECT_EQ(kind(rules, failure(worker::Crashed{.signal = SIGABRT, .exit_code = 0, .last_output = "core dumped"})),
            Kind::fails);
}

TEST(Judge, TakesAnEndedCheckForAFailureUnlessThereAreRules) {
  const worker::Failure slow = worker::TimedOut{.limit_s = 1};
  EXPECT_EQ(kind({}, failure(slow)), Kind::fails);
  EXPECT_EQ(kind({.fail_codes = {1}, .ignore_fail_codes = {}, .patterns = {}}, failure(slow)), Kind::unresolved);
  EXPECT_EQ(kind({}, failure(worker::OutOfMemory{.limit_bytes = 1, .message = {}})), Kind::fails);
}

TEST(Judge, GivesARequestToStopOn) {
  const auto verdict = Judge::make({}).value().judge(failure(worker::Stopped{}));
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().kind, base::ErrorKind::interrupted);
}

TEST(Judge, RefusesWhatIsNoRegularExpression) {
  const auto judge = Judge::make({.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"(unclosed"}});
  ASSERT_FALSE(judge);
  EXPECT_EQ(judge.error().where, "--fail-regex (unclosed");
}

TEST(Judge, IgnoresCaseOnRequest) {
  const FailRules rules{.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"(?i)OUT TEXT"}};
  EXPECT_EQ(kind(rules, exited(0)), Kind::fails);
}

TEST(Judge, MatchesALongLineWithoutRunningOutOfStack) {
  const FailRules rules{.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"^a.*b"}};
  EXPECT_EQ(kind(rules, exited(0, "a" + std::string(200'000, 'x'))), Kind::passes);
  EXPECT_EQ(kind(rules, exited(0, "a" + std::string(200'000, 'x') + "b")), Kind::fails);
}

TEST(Judge, MatchesInTimeWhereBacktrackingWouldNotEnd) {
  const FailRules rules{.fail_codes = {}, .ignore_fail_codes = {}, .patterns = {"(x+x+)+y"}};
  EXPECT_EQ(kind(rules, exited(0, std::string(200, 'x'))), Kind::passes);
}

}  // namespace
}  // namespace assay::reduce

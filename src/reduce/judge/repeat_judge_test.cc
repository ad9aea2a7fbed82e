#include "reduce/judge/repeat_judge.h"

#include <gtest/gtest.h>

#include <string>

#include "reduce/judge/signature.h"

namespace assay::reduce {
namespace {

using Kind = Verdict::Kind;

// A judge that answers 'f', 'p' and 'u' in turn, a second each, and counts.
FileJudge in_turn(std::string answers, int& asked) {
  return [answers = std::move(answers), &asked]() -> base::Expected<Verdict> {
    const char answer = answers.at(static_cast<std::size_t>(asked));
    ++asked;
    return Verdict{.kind = answer == 'f'   ? Kind::fails
                           : answer == 'p' ? Kind::passes
                                           : Kind::unresolved,
                   .text = answer == 'f' ? "exit status 1" : "exit status 0",
                   .output = std::string(1, answer) + std::to_string(asked),
                   .seconds = 1};
  };
}

TEST(RepeatJudge, AsksUntilItIsDecided) {
  int asked = 0;
  const auto verdict = repeat_judge(in_turn("ppfxx", asked), {.repeat = 5})();
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(verdict->kind, Kind::fails);
  EXPECT_EQ(verdict->text, "exit status 1: 1 of 3 runs failed");
  EXPECT_EQ(verdict->output, "f3");
  EXPECT_DOUBLE_EQ(verdict->seconds, 3);
}

TEST(RepeatJudge, LeavesTheVerdictOfOneRunAsItIs) {
  int asked = 0;
  EXPECT_EQ(repeat_judge(in_turn("f", asked), {})()->text, "exit status 1");
  asked = 0;
  EXPECT_EQ(repeat_judge(in_turn("f", asked), {.repeat = 4})()->text, "exit status 1");
}

TEST(RepeatJudge, GivesTheOutputOfTheKindThatWon) {
  int asked = 0;
  const auto verdict = repeat_judge(in_turn("fpp", asked), {.repeat = 3, .fail_ratio = 0.6})();
  EXPECT_EQ(verdict->kind, Kind::passes);
  EXPECT_EQ(verdict->output, "p3");
}

TEST(RepeatJudge, LeavesTheSignatureOfAFailureAsItIs) {
  int asked = 0;
  const auto repeated = repeat_judge(in_turn("pf", asked), {.repeat = 2})();
  EXPECT_EQ(signature_of(*repeated).ending, "exit status 1");
}

TEST(RepeatJudge, GivesAnErrorOn) {
  const auto failing = []() -> base::Expected<Verdict> { return base::fail(base::ErrorKind::interrupted, "stopped"); };
  EXPECT_EQ(repeat_judge(failing, {.repeat = 3})().error().kind, base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace assay::reduce

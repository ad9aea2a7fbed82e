#include "reduce/judge/repeat_rule.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::reduce {
namespace {

using Kind = Verdict::Kind;

// Returns the verdict after runs like "ffpu": 'f', 'p', 'u', or '?' if another run is needed.
char decided(const RepeatRule& rule, const std::string& runs) {
  RunCounts counts;
  for (const char run : runs) counts.add(run == 'f' ? Kind::fails : run == 'p' ? Kind::passes : Kind::unresolved);
  const auto kind = rule.decide(counts);
  return !kind ? '?' : *kind == Kind::fails ? 'f' : *kind == Kind::passes ? 'p' : 'u';
}

TEST(RepeatRule, OfOneRunIsThatRun) {
  EXPECT_EQ(decided({}, ""), '?');
  EXPECT_EQ(decided({}, "f"), 'f');
  EXPECT_EQ(decided({}, "p"), 'p');
  EXPECT_EQ(decided({}, "u"), 'u');
}

TEST(RepeatRule, TakesOneFailureForEnoughUnlessThereIsARatio) {
  const RepeatRule rule{.repeat = 3};
  EXPECT_EQ(decided(rule, "f"), 'f');
  EXPECT_EQ(decided(rule, "pp"), '?');
  EXPECT_EQ(decided(rule, "ppf"), 'f');
  EXPECT_EQ(decided(rule, "ppp"), 'p');
}

TEST(RepeatRule, StopsAsSoonAsNoFurtherRunCanChangeTheAnswer) {
  const RepeatRule half{.repeat = 4, .fail_ratio = 0.5};
  EXPECT_EQ(decided(half, "f"), '?');
  EXPECT_EQ(decided(half, "ff"), 'f');
  EXPECT_EQ(decided(half, "pp"), '?') << "two more failures make a half";
  EXPECT_EQ(decided(half, "ppp"), 'p');
  EXPECT_EQ(decided(half, "ppff"), 'f');
  const RepeatRule each{.repeat = 5, .fail_ratio = 1};
  EXPECT_EQ(decided(each, "p"), 'p');
  EXPECT_EQ(decided(each, "ffff"), '?');
  EXPECT_EQ(decided(each, "fffff"), 'f');
}

TEST(RepeatRule, LeavesOutRunsThatCannotBeJudgedButForTheFirst) {
  const RepeatRule rule{.repeat = 4, .fail_ratio = 0.5};
  EXPECT_EQ(decided(rule, "u"), 'u');
  EXPECT_EQ(decided(rule, "fu"), '?') << "of 3 runs 2 have to fail";
  EXPECT_EQ(decided(rule, "fuu"), 'f') << "of 2 runs 1 has to fail";
  EXPECT_EQ(decided(rule, "puu"), '?');
  EXPECT_EQ(decided(rule, "puuu"), 'p');
  EXPECT_EQ(decided(rule, "puuf"), 'f');
}

TEST(RepeatRule, CountsRatiosWithoutErrorsOfRounding) {
  EXPECT_EQ((RepeatRule{.repeat = 100, .fail_ratio = 0.07}.fails_needed(100)), 7);
  EXPECT_EQ((RepeatRule{.repeat = 10, .fail_ratio = 0.1}.fails_needed(10)), 1);
  EXPECT_EQ((RepeatRule{.repeat = 10, .fail_ratio = 0.11}.fails_needed(10)), 2);
  EXPECT_EQ((RepeatRule{.repeat = 10, .fail_ratio = 0}.fails_needed(10)), 1);
}

// An early verdict is the one that the rule would give after all runs, whatever their outcome.
TEST(RepeatRule, DecidesEarlyAsItWouldAtTheEnd) {
  for (const double ratio : {0.0, 0.3, 0.5, 0.8, 1.0}) {
    const RepeatRule rule{.repeat = 6, .fail_ratio = ratio};
    for (int runs = 0; runs < 729; ++runs) {
      std::string text = "f";
      for (int i = 0, rest = runs; i < 6; ++i, rest /= 3) text += "fpu"[rest % 3];
      text.erase(0, 1);
      if (text.front() == 'u') continue;
      const char last = decided(rule, text);
      ASSERT_NE(last, '?') << text;
      for (std::size_t length = 1; length < text.size(); ++length) {
        const char early = decided(rule, text.substr(0, length));
        EXPECT_TRUE(early == '?' || early == last) << text << " after " << length << " at " << ratio;
      }
    }
  }
}

TEST(RepeatsNeeded, IsTheFewestRunsThatAreSureEnough) {
  EXPECT_EQ(repeats_needed(0.5, 0.0625), 4);
  EXPECT_EQ(repeats_needed(0.5, 0.06), 5);
  EXPECT_EQ(repeats_needed(0.7, 0.01), 4);     // 0.3^4 = 0.0081, 0.3^3 = 0.027
  EXPECT_EQ(repeats_needed(0.01, 0.01), 459);  // ln 0.01 / ln 0.99 = 458.2
  EXPECT_EQ(repeats_needed(1, 0.001), 1);
  EXPECT_EQ(repeats_needed(0, 0.001), std::nullopt);
}

TEST(FailureChance, IsWilsonsInterval) {
  // 14 of 20: (0.7 + 3.8415/40 +- 1.95996 sqrt(0.21/20 + 3.8415/1600)) / (1 + 3.8415/20)
  EXPECT_NEAR(failure_chance(14, 20).low, 0.4810, 1e-4);
  EXPECT_NEAR(failure_chance(14, 20).high, 0.8545, 1e-4);
  EXPECT_NEAR(failure_chance(20, 20).low, 20 / (20 + 3.841459), 1e-6);
  EXPECT_DOUBLE_EQ(failure_chance(20, 20).high, 1);
  EXPECT_NEAR(failure_chance(0, 20).high, 3.841459 / (20 + 3.841459), 1e-6);
  EXPECT_NEAR(failure_chance(0, 20).low, 0, 1e-12);
  EXPECT_NEAR(failure_chance(1, 1).low, 1 / (1 + 3.841459), 1e-6);
}

}  // namespace
}  // namespace assay::reduce

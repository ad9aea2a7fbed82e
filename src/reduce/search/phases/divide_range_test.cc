#include "reduce/search/phases/divide_range.h"

#include <gtest/gtest.h>

#include <functional>

namespace assay::reduce {
namespace {

using Kind = Verdict::Kind;

struct Outcome {
  int fails_at = 0;
  int tries = 0;
};

Outcome run(DivideRange range, const std::function<Kind(int)>& judge) {
  Outcome outcome;
  while (const auto position = range.next()) {
    range.learn(*position, judge(*position));
    ++outcome.tries;
  }
  outcome.fails_at = range.fails_at();
  return outcome;
}

TEST(DivideRange, FindsTheFirstThatFailsFromEitherSide) {
  for (int first = 1; first <= 40; ++first) {
    const auto up = [&](int position) { return position >= first ? Kind::fails : Kind::passes; };
    EXPECT_EQ(run({0, 40}, up).fails_at, first);
    const auto down = [&](int position) { return position <= first ? Kind::fails : Kind::passes; };
    EXPECT_EQ(run({41, 0}, down).fails_at, first);
  }
}

TEST(DivideRange, TakesHardlyMoreTriesThanHalvingOnAverage) {
  int tries = 0;
  for (int first = 1; first <= 1000; ++first) {
    tries += run({0, 1000}, [&](int position) { return position >= first ? Kind::fails : Kind::passes; }).tries;
  }
  EXPECT_LT(tries, 10'500);  // log2(1000) is 9.97
}

TEST(DivideRange, TriesWhatIsProbableFirst) {
  // The third of 5 positions is as probable as 96 others.
  const auto scale = std::make_shared<const std::vector<double>>(std::vector<double>{0, 1, 2, 98, 99, 100});
  for (int first = 1; first <= 5; ++first) {
    const auto up = [&](int position) { return position >= first ? Kind::fails : Kind::passes; };
    EXPECT_EQ(run({0, 5, scale}, up).fails_at, first);
  }
  const auto third = [](int position) { return position >= 3 ? Kind::fails : Kind::passes; };
  EXPECT_EQ(run({0, 5, scale}, third).tries, 2);
  EXPECT_NEAR(DivideRange(0, 5, scale).chance(2), 0.02, 1e-9);
}

TEST(DivideRange, SkipsUnresolvedPositions) {
  for (int hole = 10; hole < 30; ++hole) {
    const auto judge = [&](int position) {
      if (position >= hole && position < hole + 3) return Kind::unresolved;
      return position >= 50 ? Kind::fails : Kind::passes;
    };
    EXPECT_EQ(run({0, 64}, judge).fails_at, 50);
  }
}

TEST(DivideRange, EndsIfEveryPositionIsUnresolved) {
  const Outcome outcome = run({0, 1000}, [](int) { return Kind::unresolved; });
  EXPECT_EQ(outcome.fails_at, 1000);
  EXPECT_LE(outcome.tries, 13);
}

TEST(DivideRange, AnEmptyRangeNeedsNoTry) {
  EXPECT_FALSE(DivideRange(0, 1).next().has_value());
}

}  // namespace
}  // namespace assay::reduce

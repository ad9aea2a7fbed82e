#include "locate/rank_births.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace assay::locate {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The outputs' remaining error without a cell; a cell that isn't listed is refused.
class RankBirths : public testing::Test {
 protected:
  RankedBirths rank(const std::vector<Reading>& alone, double outputs_error, int runs = 10) {
    return rank_births(alone, outputs_error, runs,
                       [&](CellId cell) -> base::Expected<std::optional<double>> {
                         asked_.push_back(cell);
                         const auto at = without_.find(cell);
                         return at == without_.end() ? std::nullopt : std::optional(at->second);
                       })
        .value();
  }
  std::map<CellId, double> without_;
  std::vector<CellId> asked_;
};

TEST_F(RankBirths, NoneAndOneCostNothing) {
  EXPECT_EQ(rank({{1, false, 0}}, 2).worst, -1);
  EXPECT_EQ(rank({{1, false, 0}, {3, true, 0.1}}, 2).worst, 3);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(RankBirths, TheFirstInfiniteOneWins) {
  EXPECT_EQ(rank({{1, true, 0.5}, {2, true, kInfinite}, {3, true, kInfinite}}, kInfinite).worst, 2);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(RankBirths, TheOneThatBringsTheOutputsErrorWinsOverALargerOne) {
  without_ = {{1, 1.9}, {4, 2.0}, {7, 0.1}};
  const RankedBirths ranked = rank({{1, true, 0.001}, {4, true, 9}, {7, true, 0.5}}, 2);
  EXPECT_EQ(ranked.worst, 7);
  EXPECT_THAT(ranked.share, ElementsAre(Pair(1, testing::DoubleNear(0.05, 1e-9)), Pair(4, 0),
                                        Pair(7, testing::DoubleNear(0.95, 1e-9))));
}

TEST_F(RankBirths, OfEqualSharesTheLargestErrorWins) {
  without_ = {{1, 0.0}, {4, 0.04}, {7, 2}};
  EXPECT_EQ(rank({{1, true, 0.001}, {4, true, 9}, {7, true, 0.5}}, 2).worst, 4);
}

TEST_F(RankBirths, WithoutAShareThatCountsTheLargestErrorWins) {
  without_ = {{1, 1.95}, {4, 2}, {7, 2}};
  EXPECT_EQ(rank({{1, true, 0.001}, {4, true, 9}, {7, true, 0.5}}, 2).worst, 4);
  without_.clear();
  EXPECT_EQ(rank({{1, true, 0.001}, {4, true, 9}, {7, true, 0.5}}, 2).worst, 4);
}

TEST_F(RankBirths, OutputsThatAgreeAreNotAskedFor) {
  EXPECT_EQ(rank({{1, true, 0.001}, {4, true, 9}}, 0).worst, 4);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(RankBirths, TriesTheLargestThreeAndTheFirstAndNoMoreThanAllowed) {
  const std::vector<Reading> births = {{1, true, 1}, {2, true, 5}, {3, true, 4}, {4, true, 3}, {5, true, 2}};
  rank(births, 2);
  EXPECT_THAT(asked_, ElementsAre(2, 3, 4, 1));
  asked_.clear();
  EXPECT_EQ(rank(births, 2, 1).worst, 2);
  EXPECT_THAT(asked_, ElementsAre(2));
}

TEST_F(RankBirths, ABirthWithoutWhichInfiniteOutputsBecomeFiniteBringsAllOfIt) {
  without_ = {{1, kInfinite}, {4, 0.5}};
  const RankedBirths ranked = rank({{1, true, 9}, {4, true, 1}}, kInfinite);
  EXPECT_EQ(ranked.worst, 4);
  EXPECT_EQ(ranked.share.at(4), 1);
  EXPECT_EQ(ranked.share.at(1), 0);
}

}  // namespace
}  // namespace assay::locate

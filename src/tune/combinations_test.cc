#include "tune/combinations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace assay::tune {
namespace {

std::vector<Combination> all(std::size_t count) {
  std::vector<Combination> found;
  visit_combinations(count, [&](const Combination& combination) {
    found.push_back(combination);
    return true;
  });
  return found;
}

TEST(Combinations, BeginAtBothEnds) {
  EXPECT_THAT(all(4), testing::ElementsAreArray(std::vector<Combination>{{0},
                                                                         {1},
                                                                         {2},
                                                                         {3},
                                                                         {0, 1, 2, 3},
                                                                         {0, 1},
                                                                         {0, 2},
                                                                         {0, 3},
                                                                         {1, 2},
                                                                         {1, 3},
                                                                         {2, 3},
                                                                         {0, 1, 2},
                                                                         {0, 1, 3},
                                                                         {0, 2, 3},
                                                                         {1, 2, 3}}));
}

TEST(Combinations, EachComesOnce) {
  for (std::size_t count = 0; count <= 9; ++count) {
    const std::vector<Combination> found = all(count);
    EXPECT_EQ(static_cast<double>(found.size()) + 1, count_combinations(count));
    EXPECT_EQ(std::set<Combination>(found.begin(), found.end()).size(), found.size());
    for (const Combination& combination : found) {
      EXPECT_TRUE(std::ranges::is_sorted(combination));
      EXPECT_FALSE(combination.empty());
      EXPECT_LT(combination.back(), count);
    }
  }
}

TEST(Combinations, ManyNumbersAreNoProblemIfTheVisitEnds) {
  int visited = 0;
  visit_combinations(5000, [&](const Combination&) { return ++visited < 6000; });
  EXPECT_EQ(visited, 6000);
  EXPECT_TRUE(count_combinations(5000) > 1e300);
}

}  // namespace
}  // namespace assay::tune

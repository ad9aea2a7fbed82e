#include "reduce/search/position_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace assay::reduce {
namespace {

using testing::ElementsAre;
using testing::Optional;

constexpr auto kBisect = PositionSearch::Order::bisect;
constexpr auto kLinear = PositionSearch::Order::linear;

// Records the positions that a search tries, and the one that it finds.
struct Steps {
  std::vector<int> tried;
  std::optional<int> found;
};
Steps run(PositionSearch search, const std::function<bool(int position)>& fails) {
  Steps result;
  while (const std::optional<int> position = search.next()) {
    result.tried.push_back(*position);
    search.learn(fails(*position));
  }
  result.found = search.found();
  return result;
}

// Answers with these verdicts in order, then with passes.
Steps steps(PositionSearch::Order order, int count, Toward toward, const std::vector<bool>& verdicts) {
  std::size_t step = 0;
  return run({order, count, toward}, [&](int) { return step < verdicts.size() && verdicts[step++]; });
}

Steps threshold(PositionSearch::Order order, int count, Toward toward, int limit) {
  return run({order, count, toward},
             [&](int position) { return toward == Toward::first ? position >= limit : position <= limit; });
}

TEST(Bisect, FindsTheThresholdInLogarithmicallyManySteps) {
  for (const int count : {2, 3, 7, 10, 64, 1000}) {
    for (int limit = 1; limit < count; ++limit) {
      const Steps first = threshold(kBisect, count, Toward::first, limit);
      EXPECT_THAT(first.found, Optional(limit)) << count;
      EXPECT_LE(static_cast<int>(first.tried.size()), PositionSearch(kBisect, count, Toward::first).most_steps());
      const Steps last = threshold(kBisect, count, Toward::last, limit);
      EXPECT_THAT(last.found, Optional(limit)) << count;
      EXPECT_LE(static_cast<int>(last.tried.size()), PositionSearch(kBisect, count, Toward::first).most_steps());
    }
  }
}

// Recorded from Polygraphy 0.53.6 with check commands that answered as here: replay files number these very steps.
TEST(Bisect, TakesTheStepsOfTheOlderTool) {
  const bool f = true, p = false;
  EXPECT_THAT(steps(kBisect, 64, Toward::first, {f, f, p, f, p, p}).tried, ElementsAre(32, 16, 8, 12, 10, 11));
  EXPECT_THAT(steps(kBisect, 13, Toward::last, {p, p, f}).tried, ElementsAre(6, 3, 2));
  EXPECT_THAT(steps(kBisect, 30, Toward::first, {p, p, p, p}).tried, ElementsAre(15, 23, 27, 29));
  EXPECT_THAT(steps(kBisect, 58, Toward::last, {p, f, p, f, f, p}).tried, ElementsAre(29, 15, 22, 19, 20, 21));
  EXPECT_THAT(steps(kBisect, 37, Toward::last, {p, p, p, p, p, p}).tried, ElementsAre(18, 9, 5, 3, 2, 1));
  EXPECT_THAT(steps(kBisect, 1, Toward::first, {f}).tried, ElementsAre(0));
}

TEST(Bisect, FindsNothingIfNothingFails) {
  EXPECT_EQ(steps(kBisect, 20, Toward::first, {}).found, std::nullopt);
  EXPECT_THAT(steps(kBisect, 0, Toward::first, {}).tried, ElementsAre());
}

TEST(Bisect, ReturnsOnlyWhatFailed) {
  const Steps odd = steps(kBisect, 100, Toward::first, {true, false, true, false, true, true});
  ASSERT_TRUE(odd.found);
  const auto at = std::ranges::find(odd.tried, *odd.found);
  EXPECT_EQ(at - odd.tried.begin(), 5);
}

TEST(Linear, TriesAllAndPassesOverGaps) {
  const Steps first = steps(kLinear, 5, Toward::first, {true, false, true, false, false});
  EXPECT_THAT(first.tried, ElementsAre(4, 3, 2, 1, 0));
  EXPECT_THAT(first.found, Optional(2));
  EXPECT_THAT(steps(kLinear, 3, Toward::last, {true, true, false}).tried, ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace assay::reduce

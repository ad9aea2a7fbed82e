#include "blame/find_precision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace assay::blame {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A model of which these nodes need float32. The errors of its outputs aren't known.
PrecisionTest needs(std::vector<int> nodes) {
  return [nodes = std::move(nodes)](const std::vector<int>& kept) -> base::Expected<PrecisionTrial> {
    return PrecisionTrial{.passes = std::ranges::includes(kept, nodes)};
  };
}

PrecisionFindings find(int nodes, const std::vector<int>& suspects, const PrecisionOptions& options,
                       const PrecisionTest& test) {
  PrecisionFindings found;
  EXPECT_TRUE(find_precision(nodes, suspects, options, test, found));
  return found;
}

TEST(FindPrecision, AModelThatPassesNeedsOneRun) {
  const auto found = find(100, {4}, {}, needs({}));
  EXPECT_TRUE(found.passes);
  EXPECT_THAT(found.kept, IsEmpty());
  EXPECT_EQ(found.runs, 1);
}

TEST(FindPrecision, SuspectsAreSearchedAlone) {
  const auto found = find(1000, {10, 20, 30, 40}, {}, needs({10, 40}));
  EXPECT_THAT(found.kept, ElementsAre(10, 40));
  EXPECT_LE(found.runs, std::floor(2 * std::log2(1000)) + 8 + 3 * 2);
}

TEST(FindPrecision, SuspectsAreReleasedInGroupsIfFewAreNeededAndOneByOneIfMostAre) {
  std::vector<int> suspects(41);
  std::iota(suspects.begin(), suspects.end(), 100);
  const auto few = find(1000, suspects, {}, needs({110, 111, 130, 131}));
  EXPECT_THAT(few.kept, ElementsAre(110, 111, 130, 131));
  EXPECT_LE(few.runs, 2 + 30);
  const auto all = find(1000, suspects, {}, needs(suspects));
  EXPECT_EQ(all.kept, suspects);
  EXPECT_EQ(all.runs, 2 + 41);
}

TEST(FindPrecision, NodesThatAreNotSuspectedAreFound) {
  const auto one = find(1000, {}, {}, needs({777}));
  EXPECT_THAT(one.kept, ElementsAre(777));
  EXPECT_LE(one.runs, std::floor(2 * std::log2(1000)) + 8 + 3);
  EXPECT_THAT(find(50, {3, 9}, {}, needs({9, 17, 44})).kept, ElementsAre(9, 17, 44));
}

// Errors of 400 nodes add up. Ten of them are large, and all but a few of the ten have to be kept.
TEST(FindPrecision, NodesAreRankedByTheErrorsOfTheOutputs) {
  const auto error_of = [](int node) { return node % 40 == 17 ? 0.5 + 0.01 * node / 40 : 0.01; };
  const PrecisionTest errors = [&](const std::vector<int>& kept) -> base::Expected<PrecisionTrial> {
    double squares = 0;
    for (int node = 0; node < 400; ++node) {
      if (!std::ranges::binary_search(kept, node)) squares += error_of(node) * error_of(node);
    }
    return PrecisionTrial{.passes = squares <= 0.36, .error = std::sqrt(squares)};
  };
  const PrecisionTest verdicts = [&](const std::vector<int>& kept) -> base::Expected<PrecisionTrial> {
    ASSAY_ASSIGN(const PrecisionTrial trial, errors(kept));
    return PrecisionTrial{.passes = trial.passes};
  };
  const auto ranked = find(400, {}, {}, errors);
  const auto plain = find(400, {}, {}, verdicts);
  EXPECT_THAT(ranked.kept, testing::SizeIs(9));
  EXPECT_LE(ranked.kept.size(), plain.kept.size());
  EXPECT_LT(ranked.runs, plain.runs);
}

TEST(FindPrecision, BisectAndLinearKeepTheNodesUpToTheLastThatNeedsIt) {
  using enum PrecisionMode;
  EXPECT_THAT(find(8, {}, {.mode = bisect}, needs({2, 3})).kept, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(find(8, {}, {.mode = linear}, needs({2, 3})).kept, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(find(8, {}, {.mode = bisect, .reverse = true}, needs({5, 6})).kept, ElementsAre(5, 6, 7));
  EXPECT_THAT(find(8, {}, {.mode = linear, .reverse = true}, needs({5, 6})).kept, ElementsAre(5, 6, 7));
}

TEST(FindPrecision, AnErrorLeavesTheFewestNodesThatPassed) {
  using enum PrecisionMode;
  for (const PrecisionMode mode : {minimal, bisect}) {
    std::vector<std::vector<int>> passed;
    const PrecisionTest three_passes = [&](const std::vector<int>& kept) -> base::Expected<PrecisionTrial> {
      if (passed.size() == 3) return base::fail(base::ErrorKind::interrupted, "stopped");
      const bool passes = std::ranges::includes(kept, std::vector{1, 5});
      if (passes) passed.push_back(kept);
      return PrecisionTrial{.passes = passes};
    };
    PrecisionFindings found;
    const base::Status status = find_precision(64, {}, {.mode = mode}, three_passes, found);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, base::ErrorKind::interrupted);
    EXPECT_TRUE(found.passes);
    EXPECT_EQ(found.kept, *std::ranges::min_element(passed, {}, &std::vector<int>::size));
    EXPECT_LT(found.kept.size(), 64);
  }
}

TEST(FindPrecision, AModelThatFailsInFloat32HasNoAnswer) {
  const PrecisionTest never = [](const std::vector<int>&) -> base::Expected<PrecisionTrial> {
    return PrecisionTrial();
  };
  for (const PrecisionMode mode : {PrecisionMode::minimal, PrecisionMode::bisect, PrecisionMode::linear}) {
    const auto found = find(8, {1}, {.mode = mode}, never);
    EXPECT_FALSE(found.passes);
    EXPECT_LE(found.runs, 3);
  }
}

}  // namespace
}  // namespace assay::blame

#include "run/plan_windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::run {
namespace {

using testing::ElementsAre;

std::vector<TensorRange> plan(const std::vector<std::uint64_t>& bytes, std::uint64_t budget) {
  return plan_windows(bytes, budget);
}

TEST(PlanWindows, WhatFitsIsOneWindow) {
  EXPECT_THAT(plan({1, 2, 3}, 6), ElementsAre(TensorRange{0, 3}));
  EXPECT_THAT(plan({}, 6), ElementsAre());
}

TEST(PlanWindows, AWindowHoldsNoMoreThanTheBudget) {
  EXPECT_THAT(plan({3, 3, 3, 1, 5}, 6), ElementsAre(TensorRange{0, 2}, TensorRange{2, 4}, TensorRange{4, 5}));
}

TEST(PlanWindows, ATensorLargerThanTheBudgetStandsAlone) {
  EXPECT_THAT(plan({1, 9, 1, 1}, 4), ElementsAre(TensorRange{0, 1}, TensorRange{1, 2}, TensorRange{2, 4}));
}

TEST(PlanWindows, TensorsOfNoBytesTakeNoRoom) {
  EXPECT_THAT(plan({4, 0, 0, 4, 0}, 4), ElementsAre(TensorRange{0, 3}, TensorRange{3, 5}));
}

}  // namespace
}  // namespace assay::run

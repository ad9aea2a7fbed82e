#include "locate/reduction_cost.h"

#include <gtest/gtest.h>

namespace assay::locate {
namespace {

TEST(ReductionCost, GrowsWithTheLogarithmOfTheNodes) {
  const Ledger ledger;
  EXPECT_EQ(reduction_cost(1, ledger).checks, 7);
  EXPECT_EQ(reduction_cost(64, ledger).checks, 28);
  EXPECT_EQ(reduction_cost(1024, ledger).checks, 36);
}

TEST(ReductionCost, ACheckLoadsBothSidesOnceAndRunsThemOnce) {
  const Ledger ledger{.limit = 20, .runs = 10, .sessions = 8, .opened = 4, .open_seconds = 2, .run_seconds = 5};
  const ReductionCost cost = reduction_cost(64, ledger);
  EXPECT_DOUBLE_EQ(cost.check_seconds, 1);
  EXPECT_DOUBLE_EQ(cost.seconds(), 28);
}

TEST(ReductionCost, NothingMeasuredIsNothing) {
  EXPECT_EQ(reduction_cost(64, Ledger{}).seconds(), 0);
}

}  // namespace
}  // namespace assay::locate

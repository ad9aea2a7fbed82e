#include "run/timings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::run {
namespace {

using testing::DoubleEq;

// numpy.percentile([5, 1, 4, 2], [25, 50, 75]) is [1.75, 3.0, 4.25].
TEST(Timings, HaveMedianAndQuartilesAsNumPyHasThem) {
  const TimingSummary summary = summarize_timings({5, 1, 4, 2});
  EXPECT_EQ(summary.iterations, 4U);
  EXPECT_THAT(summary.total, DoubleEq(12));
  EXPECT_THAT(summary.mean, DoubleEq(3));
  EXPECT_THAT(summary.least, DoubleEq(1));
  EXPECT_THAT(summary.lower_quartile, DoubleEq(1.75));
  EXPECT_THAT(summary.median, DoubleEq(3));
  EXPECT_THAT(summary.upper_quartile, DoubleEq(4.25));
  EXPECT_THAT(summary.most, DoubleEq(5));
}

TEST(Timings, AreReportedInMilliseconds) {
  EXPECT_EQ(
      describe_timings(summarize_timings({0.005, 0.001, 0.004, 0.002})),
      "Completed 4 iterations in 12 ms | Average: 3 ms | Median: 3 ms, half of them from 1.75 to 4.25 ms, all from 1 "
      "to 5 ms");
  EXPECT_EQ(describe_timings(summarize_timings({0.0025})), "Completed 1 iteration in 2.5 ms");
  EXPECT_EQ(summarize_timings({}).iterations, 0U);
}

}  // namespace
}  // namespace assay::run

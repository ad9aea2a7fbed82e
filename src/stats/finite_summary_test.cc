#include "stats/finite_summary.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace assay::stats {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(FiniteSummary, LeavesOutNonFiniteValues) {
  // Reference: numpy.array([1, 2, 3, 6]).mean() and .std().
  const auto found =
      summarize_finite(Tensor::of<float>(ElementType::float32, {8}, {kNan, 1, 2, kInf, 3, -kInf, 6, kNan}));
  EXPECT_EQ(found.finite, 4);
  EXPECT_EQ(found.nans, 2);
  EXPECT_EQ(found.infinities, 2);
  EXPECT_EQ(found.min, 1);
  EXPECT_EQ(found.max, 6);
  EXPECT_EQ(found.mean, 3);
  EXPECT_THAT(found.deviation, DoubleNear(1.8708286933869707, 1e-12));
}

TEST(FiniteSummary, MergesTheStatisticsOfManyBlocks) {
  // 0, 1, ..., n - 1 has the mean (n - 1) / 2 and the variance (n^2 - 1) / 12.
  constexpr std::int64_t kCount = 200'000;
  std::vector<std::int32_t> values(kCount);
  for (std::int32_t i = 0; i < kCount; ++i) values[static_cast<std::size_t>(i)] = i;
  const auto found = summarize_finite(Tensor::of<std::int32_t>(ElementType::int32, {kCount}, values));
  EXPECT_EQ(found.min, 0);
  EXPECT_EQ(found.max, kCount - 1);
  EXPECT_THAT(found.mean, DoubleNear((kCount - 1) / 2.0, 1e-6));
  EXPECT_THAT(found.deviation, DoubleNear(std::sqrt((1.0 * kCount * kCount - 1) / 12), 1e-6));
}

// Reference: NumPy, whose sum of squares overflows, too.
TEST(FiniteSummary, TheMeanOfLargeValuesDoesNotOverflow) {
  const auto apart = summarize_finite(Tensor::of<double>(ElementType::float64, {2}, {-1.7e308, 1.7e308}));
  EXPECT_EQ(apart.mean, 0);
  EXPECT_EQ(apart.deviation, std::numeric_limits<double>::infinity());
  const auto equal = summarize_finite(Tensor::of<double>(ElementType::float64, {2}, {1e200, 1e200}));
  EXPECT_EQ(equal.mean, 1e200);
  EXPECT_EQ(equal.deviation, 0);
}

TEST(FiniteSummary, IsEmptyIfNothingIsFinite) {
  EXPECT_EQ(summarize_finite(Tensor::of<float>(ElementType::float32, {0}, {})).finite, 0);
  const auto found = summarize_finite(Tensor::of<float>(ElementType::float32, {1}, {kNan}));
  EXPECT_EQ(found.nans, 1);
  EXPECT_EQ(found.max, 0);
}

TEST(FiniteSummary, CountsValuesInBins) {
  const auto values = Tensor::of<float>(ElementType::float32, {7}, {0, 0.5, 1, 2.5, 4, kInf, kNan});
  EXPECT_THAT(count_in_bins(values, 0, 4, 4), ElementsAre(2, 1, 1, 1));
  EXPECT_THAT(count_in_bins(values, 1, 2, 2), ElementsAre(3, 2));
  EXPECT_THAT(count_in_bins(values, 1, 1, 2), IsEmpty());
  EXPECT_THAT(count_in_bins(values, 0, kInf, 2), IsEmpty());
}

}  // namespace
}  // namespace assay::stats

#include "compare/measure.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tensor/convert.h"

namespace assay::compare {
namespace {

using tensor::ElementType;
using tensor::Tensor;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Tensor floats(const std::vector<float>& values) {
  return Tensor::of(ElementType::float32, {static_cast<std::int64_t>(values.size())}, values);
}

ErrorSummary summary_of(const Tensor& first, const Tensor& second, const MeasureOptions& options = {}) {
  auto summary = measure(first, second, options);
  EXPECT_TRUE(summary) << summary.error().message();
  return summary.value_or(ErrorSummary{});
}

TEST(Measure, FindsTheLargestErrorsAndWhereTheyAre) {
  const ErrorSummary summary = summary_of(floats({1, 2.5F, 100, 4}), floats({1, 2, 104, 4}));
  EXPECT_EQ(summary.elements, 4U);
  EXPECT_EQ(summary.absolute.max, 4);
  EXPECT_EQ(summary.absolute.max_at, 2U);
  EXPECT_EQ(summary.absolute.mean, 4.5 / 4);
  EXPECT_EQ(summary.relative.max, 0.25);
  EXPECT_EQ(summary.relative.max_at, 1U);
  EXPECT_EQ(summary.beyond, 2U);
  EXPECT_EQ(summary.first_beyond, 1U);
  EXPECT_FALSE(summary.equal());
}

TEST(Measure, CountsAnElementOnlyWhereBothErrorsAreTooLarge) {
  const MeasureOptions options{.absolute_tolerance = 1, .relative_tolerance = 0.5};
  EXPECT_EQ(summary_of(floats({10, 1, 10}), floats({12, 1.9F, 4}), options).beyond, 1U);
}

TEST(Measure, SumsForNormAngleAndNoise) {
  const ErrorSummary summary = summary_of(floats({3, 0}), floats({0, 4}));
  EXPECT_EQ(summary.l2(), 5);
  EXPECT_EQ(summary.cosine(), 0);
  EXPECT_DOUBLE_EQ(summary.snr(), 10 * std::log10(9.0 / 25));
  EXPECT_DOUBLE_EQ(summary.psnr(), 20 * std::log10(3 / std::sqrt(25 / 2.0)));
}

TEST(Measure, CountsWhatIsNoNumber) {
  const ErrorSummary summary =
      summary_of(floats({kNaN, kNaN, 1, kInf, kInf, kInf}), floats({kNaN, 1, 1, kInf, -kInf, 1}));
  EXPECT_EQ(summary.nan.first, 2U);
  EXPECT_EQ(summary.nan.second, 1U);
  EXPECT_EQ(summary.nan.mismatched, 1U);
  EXPECT_EQ(summary.infinite.first, 3U);
  EXPECT_EQ(summary.infinite.second, 2U);
  EXPECT_EQ(summary.infinite.mismatched, 2U);
  EXPECT_EQ(summary.undefined, 3U);  // NaN twice, infinity beside infinity
  EXPECT_EQ(summary.beyond, 5U);
  EXPECT_EQ(summary.absolute.max, kInf);
}

TEST(Measure, TakesNaNsAndInfinitiesForEqualOnRequest) {
  const MeasureOptions options{.infinities_equal = true, .nans_equal = true};
  const ErrorSummary summary = summary_of(floats({kNaN, kInf, -kInf}), floats({kNaN, kInf, -kInf}), options);
  EXPECT_TRUE(summary.equal());
  EXPECT_EQ(summary.nan.first, 1U);
}

TEST(Measure, UlpDistanceCountsRepresentableValues) {
  const float next = std::nextafter(1.0F, 2.0F);
  const ErrorSummary summary = summary_of(floats({1, 0.0F, kNaN}), floats({next, -0.0F, 1}));
  EXPECT_EQ(summary.max_ulp, 1U);
  EXPECT_EQ(summary.max_ulp_at, 0U);
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(summary_of(floats({tiny}), floats({-tiny})).max_ulp, 2U);
  EXPECT_EQ(summary_of(floats({kInf}), floats({std::numeric_limits<float>::max()})).max_ulp, 1U);
}

TEST(Measure, UlpDistanceOfTwoTypesIsThatOfTheCoarser) {
  const Tensor half = Tensor::of<std::uint16_t>(ElementType::float16, {1}, {0x3c01});  // the one after 1
  EXPECT_EQ(summary_of(floats({1}), half).max_ulp, 1U);
  EXPECT_EQ(summary_of(half, floats({1})).max_ulp, 1U);
}

TEST(Measure, OfNothingIsNothing) {
  const ErrorSummary summary = summary_of(floats({}), floats({}));
  EXPECT_EQ(summary.elements, 0U);
  EXPECT_TRUE(summary.equal());
  EXPECT_TRUE(std::isnan(summary.snr()));
}

TEST(Measure, TakesEveryElementType) {
  for (const tensor::ElementTypeInfo& row : tensor::element_types()) {
    if (!tensor::is_real(row.type)) continue;
    const bool is_bool = row.kind == tensor::ElementKind::boolean;
    const Tensor ones = tensor::from_doubles(row.type, {3}, std::vector<double>{1, 1, 1});
    const Tensor other = tensor::from_doubles(row.type, {3}, std::vector<double>{1, 1, is_bool ? 0.0 : 0.5});
    const ErrorSummary same = summary_of(ones, ones);
    EXPECT_TRUE(same.equal()) << row.name;
    EXPECT_EQ(same.max_ulp, 0U) << row.name;
    const ErrorSummary summary = summary_of(ones, other);
    if (tensor::to_doubles(other)[2] == 1) continue;  // the type has nothing between 0 and 1
    EXPECT_EQ(summary.absolute.max_at, 2U) << row.name;
    EXPECT_EQ(summary.absolute.max, 1 - tensor::to_doubles(other)[2]) << row.name;
    EXPECT_GE(summary.max_ulp, 1U) << row.name;
  }
}

TEST(Measure, TakesComplexNumbersAsPairs) {
  const Tensor one = Tensor::of<float>(ElementType::complex64, {1}, {1, 2});
  const Tensor other = Tensor::of<float>(ElementType::complex64, {1}, {1, 5});
  const ErrorSummary summary = summary_of(one, other);
  EXPECT_EQ(summary.elements, 2U);
  EXPECT_EQ(summary.absolute.max, 3);
  EXPECT_EQ(summary.absolute.max_at, 1U);
}

TEST(Measure, CountsStringsThatDiffer) {
  const Tensor one = Tensor::make_strings({3}, {"a", "b", "c"}).value();
  const Tensor other = Tensor::make_strings({3}, {"a", "x", "y"}).value();
  EXPECT_EQ(summary_of(one, other).beyond, 2U);
  EXPECT_EQ(summary_of(one, other).first_beyond, 1U);
}

TEST(Measure, RefusesWhatCannotBeCompared) {
  EXPECT_FALSE(measure(floats({1}), floats({1, 2})));
  EXPECT_FALSE(measure(floats({1}), Tensor::make_strings({1}, {"1"}).value()));
}

}  // namespace
}  // namespace assay::compare

#include "stats/measure.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tensor/convert.h"

namespace assay::stats {
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

TEST(Measure, FindsTheLargestErrorsAndTheirIndices) {
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

TEST(Measure, CountsAnElementOnlyIfBothErrorsAreTooLarge) {
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

TEST(Measure, CountsNaNs) {
  const ErrorSummary summary =
      summary_of(floats({kNaN, kNaN, 1, kInf, kInf, kInf}), floats({kNaN, 1, 1, kInf, -kInf, 1}));
  EXPECT_EQ(summary.nan.first, 2U);
  EXPECT_EQ(summary.nan.second, 1U);
  EXPECT_EQ(summary.nan.mismatched, 1U);
  EXPECT_EQ(summary.infinite.first, 3U);
  EXPECT_EQ(summary.infinite.second, 2U);
  EXPECT_EQ(summary.infinite.mismatched, 2U);
  EXPECT_EQ(summary.undefined, 3U);  // NaN twice, two equal infinities
  EXPECT_EQ(summary.beyond, 5U);
  EXPECT_EQ(summary.absolute.max, kInf);
}

TEST(Measure, TakesNaNsAndInfinitiesForEqualOnRequest) {
  const MeasureOptions options{.equal = EqualSpecials::both()};
  const ErrorSummary summary = summary_of(floats({kNaN, kInf, -kInf}), floats({kNaN, kInf, -kInf}), options);
  EXPECT_TRUE(summary.equal());
  EXPECT_EQ(summary.nan.first, 1U);
}

TEST(Measure, LeavesNaNsAndInfinitiesThatAreEqualOutOfSums) {
  const MeasureOptions options{.equal = EqualSpecials::both()};
  const ErrorSummary summary = summary_of(floats({kNaN, kInf, 3}), floats({kNaN, kInf, 4}), options);
  EXPECT_EQ(summary.second_squared, 16);
  EXPECT_EQ(summary.difference_squared, 1);
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
  const Tensor half = Tensor::of<std::uint16_t>(ElementType::float16, {1}, {0x3c01});  // the value after 1
  EXPECT_EQ(summary_of(floats({1}), half).max_ulp, 1U);
  EXPECT_EQ(summary_of(half, floats({1})).max_ulp, 1U);
}

TEST(Measure, IsEmptyWithoutElements) {
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
    if (tensor::to_doubles(other)[2] == 1) continue;  // the type has no values between 0 and 1
    EXPECT_EQ(summary.absolute.max_at, 2U) << row.name;
    EXPECT_EQ(summary.absolute.max, 1 - tensor::to_doubles(other)[2]) << row.name;
    EXPECT_GE(summary.max_ulp, 1U) << row.name;
  }
}

TEST(Measure, DifferencesOfIntegersDoNotOverflow) {
  const Tensor low = Tensor::of<std::int32_t>(ElementType::int32, {1}, {std::numeric_limits<std::int32_t>::min()});
  const Tensor high = Tensor::of<std::int32_t>(ElementType::int32, {1}, {std::numeric_limits<std::int32_t>::max()});
  EXPECT_EQ(summary_of(low, high).absolute.max, 4294967295.0);
  EXPECT_EQ(summary_of(low, high).beyond, 1U);
  const Tensor small = Tensor::of<std::int8_t>(ElementType::int8, {1}, {-128});
  const Tensor large = Tensor::of<std::int8_t>(ElementType::int8, {1}, {127});
  EXPECT_EQ(summary_of(small, large).absolute.max, 255);
  EXPECT_EQ(summary_of(small, large).max_ulp, 255U);
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

// Measures one element after another, in long double.
ErrorSummary plain_measure(const std::vector<float>& a, const std::vector<float>& b, const MeasureOptions& options) {
  ErrorSummary summary;
  summary.elements = a.size();
  summary.first_peak = -kInf;
  long double absolute_sum = 0, relative_sum = 0;
  std::uint64_t absolutes = 0, relatives = 0;
  const auto place = [](float v) {
    const auto bits = std::bit_cast<std::int32_t>(v);
    return bits >= 0 ? std::int64_t{bits} : -std::int64_t{bits & 0x7fffffff};
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    float absolute = std::abs(a[i] - b[i]);
    const float relative = absolute / (b[i] == 0 ? 0x1p-52F : std::abs(b[i]));
    if (!std::isnan(absolute)) {
      absolute_sum += absolute;
      if (absolutes++ == 0 || absolute > summary.absolute.max)
        summary.absolute.max = absolute, summary.absolute.max_at = i;
    } else {
      ++summary.undefined;
    }
    if (!std::isnan(relative)) {
      relative_sum += relative;
      if (relatives++ == 0 || relative > summary.relative.max)
        summary.relative.max = relative, summary.relative.max_at = i;
    }
    if (!(static_cast<double>(absolute) <= options.absolute_tolerance) &&
        !(static_cast<double>(relative) <= options.relative_tolerance) && summary.beyond++ == 0) {
      summary.first_beyond = i;
    }
    summary.nan.first += std::isnan(a[i]) ? 1 : 0;
    summary.infinite.second += std::isinf(b[i]) ? 1 : 0;
    if (!std::isnan(a[i])) summary.first_peak = std::max(summary.first_peak, static_cast<double>(a[i]));
    if (std::isnan(a[i]) || std::isnan(b[i])) continue;
    const auto ulp = static_cast<std::uint64_t>(std::abs(place(a[i]) - place(b[i])));
    if (ulp > summary.max_ulp) summary.max_ulp = ulp, summary.max_ulp_at = i;
  }
  if (absolutes != 0) summary.absolute.mean = static_cast<double>(absolute_sum / static_cast<long double>(absolutes));
  if (relatives != 0) summary.relative.mean = static_cast<double>(relative_sum / static_cast<long double>(relatives));
  return summary;
}

void expect_near(double a, double b) {
  if (std::isfinite(b)) {
    EXPECT_NEAR(a, b, 1e-12 * std::abs(b));
  } else {
    EXPECT_EQ(std::isnan(a), std::isnan(b));
  }
}

TEST(Measure, IsThatOfOneElementAfterAnother) {
  std::mt19937_64 random(5);
  for (const std::size_t size : {1, 5, 1000, 1024, 1025, 70000, 700001}) {
    for (const int strange : {0, 3, 500}) {
      std::vector<float> a(size), b(size);
      std::normal_distribution<float> normal;
      for (std::size_t i = 0; i < size; ++i) {
        a[i] = normal(random);
        b[i] = a[i] + 1e-5F * normal(random);
      }
      const std::vector<float> odd = {
          kNaN, kInf, -kInf, 0, -0.0F, std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::max()};
      for (int i = 0; i < strange; ++i) {
        a[random() % size] = odd[random() % odd.size()];
        b[random() % size] = odd[random() % odd.size()];
      }
      const MeasureOptions options{.absolute_tolerance = 1.5e-5, .relative_tolerance = 1e-4};
      const ErrorSummary plain = plain_measure(a, b, options);
      const ErrorSummary ours = summary_of(floats(a), floats(b), options);
      expect_near(ours.absolute.mean, plain.absolute.mean);
      expect_near(ours.relative.mean, plain.relative.mean);
      EXPECT_EQ(ours.absolute.max, plain.absolute.max);
      EXPECT_EQ(ours.absolute.max_at, plain.absolute.max_at);
      EXPECT_EQ(ours.relative.max, plain.relative.max);
      EXPECT_EQ(ours.relative.max_at, plain.relative.max_at);
      EXPECT_EQ(ours.undefined, plain.undefined);
      EXPECT_EQ(ours.beyond, plain.beyond);
      EXPECT_EQ(ours.first_beyond, plain.first_beyond);
      EXPECT_EQ(ours.nan.first, plain.nan.first);
      EXPECT_EQ(ours.infinite.second, plain.infinite.second);
      EXPECT_EQ(ours.first_peak, plain.first_peak);
      EXPECT_EQ(ours.max_ulp, plain.max_ulp);
      EXPECT_EQ(ours.max_ulp_at, plain.max_ulp_at);
    }
  }
}

TEST(Measure, DoesNotDependOnTheNumberOfThreads) {
  std::mt19937_64 random(6);
  std::vector<float> a(3'000'001), b(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(random() % 1000) * 0.37F;
    b[i] = a[i] + static_cast<float>(random() % 7);
  }
  const ErrorSummary one = summary_of(floats(a), floats(b), {.threads = 1});
  const ErrorSummary many = summary_of(floats(a), floats(b), {.threads = 5});
  EXPECT_EQ(one.absolute.mean, many.absolute.mean);
  EXPECT_EQ(one.absolute.max_at, many.absolute.max_at);
  EXPECT_EQ(one.relative.max_at, many.relative.max_at);
  EXPECT_EQ(one.l2(), many.l2());
  EXPECT_EQ(one.cosine(), many.cosine());
  EXPECT_EQ(one.beyond, many.beyond);
  EXPECT_EQ(one.first_beyond, many.first_beyond);
  EXPECT_EQ(one.max_ulp_at, many.max_ulp_at);
}

TEST(Measure, RejectsIncompatibleTensors) {
  EXPECT_FALSE(measure(floats({1}), floats({1, 2})));
  EXPECT_FALSE(measure(floats({1}), Tensor::make_strings({1}, {"1"}).value()));
}

}  // namespace
}  // namespace assay::stats

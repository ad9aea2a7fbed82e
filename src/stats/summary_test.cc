// Compares the statistics of summary.h and differences.h with NumPy's (testdata/make_reference.py): sums, which are
// added in another order, to within the rounding errors of NumPy's additions, and everything else to the last bit.
#include "stats/summary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "stats/differences.h"
#include "stats/summary_text.h"
#include "tests/support/paths.h"

namespace assay::stats {
namespace {

using tensor::ElementType;
using tensor::Tensor;

std::uint16_t to_float16(double value) {
  if (value == 0) return 0;
  int exponent = 0;
  std::frexp(value, &exponent);
  exponent = std::max(exponent, -13);
  const double significand = std::nearbyint(std::ldexp(std::abs(value), 11 - exponent));
  // An 11-bit significand including its leading bit, added to the exponent: a carry increments the exponent.
  const auto bits = static_cast<std::uint16_t>((exponent + 13) * 1024 + static_cast<int>(significand));
  return static_cast<std::uint16_t>(bits | (value < 0 ? 0x8000 : 0));
}

template <class T>
Tensor cast_to(ElementType type, const std::vector<double>& values) {
  std::vector<T> cast;
  for (const double value : values) cast.push_back(static_cast<T>(value));
  return Tensor::of(type, {static_cast<std::int64_t>(values.size())}, cast);
}

Tensor made_up(const std::string& name, std::uint64_t count, std::uint64_t seed, double scale, double offset) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < count; ++i) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    values.push_back((static_cast<double>(seed >> 11) * 0x1p-53 - 0.5) * scale + offset);
  }
  const ElementType type = *tensor::parse_element_type(name);
  if (tensor::info(type).kind == tensor::ElementKind::signed_integer ||
      tensor::info(type).kind == tensor::ElementKind::unsigned_integer) {
    for (double& value : values) value = std::floor(value);
  }
  switch (type) {
    case ElementType::float32:
      return cast_to<float>(type, values);
    case ElementType::float64:
      return cast_to<double>(type, values);
    case ElementType::int8:
      return cast_to<std::int8_t>(type, values);
    case ElementType::uint8:
      return cast_to<std::uint8_t>(type, values);
    case ElementType::int32:
      return cast_to<std::int32_t>(type, values);
    case ElementType::uint16:
      return cast_to<std::uint16_t>(type, values);
    case ElementType::int64:
      return cast_to<std::int64_t>(type, values);
    case ElementType::boolean: {
      for (double& value : values) value = value > offset ? 1 : 0;
      return cast_to<std::uint8_t>(type, values);
    }
    default:
      break;
  }
  std::vector<std::uint16_t> halves;
  for (const double value : values) halves.push_back(to_float16(value));
  return Tensor::of(ElementType::float16, {static_cast<std::int64_t>(count)}, halves);
}

double read_hex(std::istream& line) {
  std::string word;
  line >> word;
  return std::strtod(word.c_str(), nullptr);
}

void expect_number(double ours, std::istream& line, const char* what) {
  const double numpy = read_hex(line);
  if (std::isnan(numpy)) {
    EXPECT_TRUE(std::isnan(ours)) << what << ": " << ours;
  } else {
    EXPECT_EQ(ours, numpy) << what;
  }
}

// `size`: of the numbers that were added.
void expect_sum(double ours, std::istream& line, double size, const char* what) {
  const double numpy = read_hex(line);
  if (std::isnan(numpy)) {
    EXPECT_TRUE(std::isnan(ours)) << what << ": " << ours;
  } else if (std::isinf(numpy)) {
    EXPECT_EQ(ours, numpy) << what;
  } else {
    EXPECT_NEAR(ours, numpy, size * 1e-6) << what;
  }
}

void expect_summary(const Summary& ours, std::istream& line) {
  const double largest = std::max(std::abs(ours.min), std::abs(ours.max));
  expect_sum(ours.mean, line, largest, "mean");
  expect_sum(ours.std_dev, line, largest, "standard deviation");
  expect_sum(ours.variance, line, largest * largest, "variance");
  expect_number(ours.median, line, "median");
  expect_number(ours.min, line, "min");
  expect_number(ours.max, line, "max");
  expect_sum(ours.mean_magnitude, line, largest, "mean magnitude");
  if (ours.has_percentiles) {
    expect_number(ours.p90, line, "p90");
    expect_number(ours.p95, line, "p95");
    expect_number(ours.p99, line, "p99");
  }
  std::uint64_t min_at = 0;
  std::uint64_t max_at = 0;
  line >> min_at >> max_at;
  EXPECT_EQ(ours.min_at, min_at);
  EXPECT_EQ(ours.max_at, max_at);
}

template <class Real>
void expect_differences(const std::string& what, const Tensor& a, const Tensor& b, std::istream& line) {
  const Differences<Real> differences(a, b, {});
  if (what == "absolute") {
    expect_summary(summarize(AbsoluteSeries<Real>(differences), differences.absolute_arithmetic()), line);
  } else {
    expect_summary(summarize(RelativeSeries<Real>(differences), differences.relative_arithmetic()), line);
  }
}

TEST(Summary, EqualsNumPy) {
  std::ifstream file(test::source_dir() / "src/stats/testdata/numpy_reference.txt");
  int lines = 0;
  for (std::string text; std::getline(file, text); ++lines) {
    SCOPED_TRACE(text.substr(0, 60));
    std::istringstream line(text);
    std::string what;
    std::string type_a;
    std::string type_b;
    std::uint64_t count = 0;
    std::uint64_t seed = 0;
    line >> what >> type_a;
    if (what != "array") line >> type_b;
    line >> count >> seed;
    const double scale = read_hex(line);
    const double offset = read_hex(line);
    const Tensor a = made_up(type_a, count, seed, scale, offset);
    if (what == "array") {
      expect_summary(summarize(a), line);
      continue;
    }
    const Tensor b = made_up(type_b, count, seed + 100, scale, offset);
    if (fits_in_float(a.type(), b.type())) {
      expect_differences<float>(what, a, b, line);
    } else {
      expect_differences<double>(what, a, b, line);
    }
  }
  EXPECT_GT(lines, 200);
}

TEST(Summary, NamesTheIndexOfTheFirstNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Summary summary = summarize(Tensor::of<float>(ElementType::float32, {2, 2}, {1, 2, nan, nan}));
  EXPECT_TRUE(std::isnan(summary.mean));
  EXPECT_TRUE(std::isnan(summary.p99));
  EXPECT_NE(describe(summary, {2, 2}).find("max=nan at (1, 0)"), std::string::npos) << describe(summary, {2, 2});
}

TEST(Summary, IsEmptyWithoutElements) {
  EXPECT_EQ(describe(summarize(Tensor::of<float>(ElementType::float32, {0, 3}, {})), {0, 3}), "no elements");
}

TEST(Summary, IsPrintedWithFiveDigitsAndPositions) {
  const Summary summary = summarize(Tensor::of<float>(ElementType::float32, {2, 2}, {1, -2, 3, 1e9F}));
  EXPECT_EQ(describe(summary, {2, 2}),
            "mean=2.5e+08, std-dev=4.3301e+08, var=1.875e+17, median=2, min=-2 at (0, 1), max=1e+09 at (1, 1), "
            "avg-magnitude=2.5e+08, p90=7e+08, p95=8.5e+08, p99=9.7e+08");
}

TEST(Differences, SubtractsWideIntegersExactly) {
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const Tensor a = Tensor::of<std::int64_t>(ElementType::int64, {3}, {kMax, kMax - 1, kMin});
  const Tensor b = Tensor::of<std::int64_t>(ElementType::int64, {3}, {kMax - 1, kMax, kMax});
  std::array<double, 3> absolute;
  AbsoluteSeries<double>(Differences<double>(a, b, {})).read(0, 3, absolute.data());
  EXPECT_EQ(absolute[0], 1);
  EXPECT_EQ(absolute[1], 1);
  EXPECT_EQ(absolute[2], 0x1p64);
}

TEST(Differences, OfEqualInfinitiesAreNaNUnlessRequested) {
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor a = Tensor::of<float>(ElementType::float32, {2}, {inf, inf});
  const Tensor b = Tensor::of<float>(ElementType::float32, {2}, {inf, -inf});
  std::array<float, 2> absolute;
  AbsoluteSeries<float>(Differences<float>(a, b, {})).read(0, 2, absolute.data());
  EXPECT_TRUE(std::isnan(absolute[0]));
  EXPECT_EQ(absolute[1], inf);
  AbsoluteSeries<float>(Differences<float>(a, b, {.infinities = true})).read(0, 2, absolute.data());
  EXPECT_EQ(absolute[0], 0);
  EXPECT_EQ(absolute[1], inf);
}

}  // namespace
}  // namespace assay::stats

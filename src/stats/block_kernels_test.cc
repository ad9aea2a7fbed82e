// Compares every kernel with a plain implementation, for every instruction set that this processor has.
#include "stats/block_kernels.h"

#include <gtest/gtest.h>

#include <hwy/targets.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace assay::stats {
namespace {

// Calls body() with each instruction set in turn.
template <class Body>
void for_each_target(const Body& body) {
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

template <class Real>
class BlockKernelsTest : public testing::Test {
 protected:
  using Limits = std::numeric_limits<Real>;

  // Returns numbers of all magnitudes, with zeros, subnormal numbers and, if wanted, NaN and infinity.
  void fill(BlockOf<Real>& block, std::size_t count, bool special) {
    const std::vector<Real> strange = {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()};
    const std::vector<Real> odd = {Real{0}, -Real{0}, Limits::denorm_min(), Limits::max(), Limits::lowest(), Real{1}};
    std::normal_distribution<Real> normal;
    for (std::size_t i = 0; i < kBlock + kSlack; ++i) {
      const auto dice = random_() % 32;
      block.values[i] = normal(random_);
      if (dice == 0 && (special || i >= count)) block.values[i] = strange[random_() % strange.size()];
      if (dice == 1) block.values[i] = odd[random_() % odd.size()];
    }
  }

  std::mt19937_64 random_{1};
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(BlockKernelsTest, Reals);

constexpr std::size_t kCounts[] = {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 63, 64, 65, 127, 128, 129, 500, 1000, 1023, 1024};

template <class Real>
void expect_same(Real a, Real b, const char* what) {
  if (std::isnan(a) && std::isnan(b)) return;
  EXPECT_EQ(a, b) << what;
}

TYPED_TEST(BlockKernelsTest, Differences) {
  for_each_target([&] {
    const auto& kernels = block_kernels<TypeParam>();
    for (const std::size_t count : kCounts) {
      for (const EqualSpecials equal :
           {EqualSpecials{}, EqualSpecials{.infinities = true}, EqualSpecials{.nans = true}}) {
        for (const bool replace_zero : {false, true}) {
          BlockOf<TypeParam> a, b, absolute, relative;
          this->fill(a, count, true);
          this->fill(b, count, true);
          std::copy_n(a.values, count / 3, b.values);
          kernels.differences(a.values, b.values, count, {equal, replace_zero}, absolute.values, relative.values);
          for (std::size_t i = 0; i < count; ++i) {
            TypeParam expected = std::abs(a.values[i] - b.values[i]);
            if (equal.infinities && std::isinf(a.values[i]) && a.values[i] == b.values[i]) expected = 0;
            TypeParam divisor = std::abs(b.values[i]);
            if (replace_zero && divisor == 0) divisor = static_cast<TypeParam>(0x1p-52);
            const bool same_nan = equal.nans && std::isnan(a.values[i]) && std::isnan(b.values[i]);
            expect_same(absolute.values[i], same_nan ? 0 : expected, "absolute");
            expect_same(relative.values[i], same_nan ? 0 : expected / divisor, "relative");
          }
        }
      }
    }
  });
}

TYPED_TEST(BlockKernelsTest, Sums) {
  for_each_target([&] {
    const auto& kernels = block_kernels<TypeParam>();
    for (const std::size_t count : kCounts) {
      BlockOf<TypeParam> x;
      this->fill(x, count, true);
      for (TypeParam& value : x.values) value = std::clamp(value, TypeParam{-100}, TypeParam{100});
      std::replace_if(
          x.values, x.values + count, [](TypeParam v) { return std::isnan(v); }, TypeParam{7});
      double sum = 0;
      double magnitudes = 0;
      double squares = 0;
      constexpr double kMean = 0.3;
      for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<double>(x.values[i]);
        sum += value;
        magnitudes += std::abs(value);
        squares += (value - kMean) * (value - kMean);
      }
      const BlockSums found = kernels.sums(x.values, count);
      EXPECT_NEAR(found.values, sum, magnitudes * 1e-12);
      EXPECT_NEAR(found.magnitudes, magnitudes, magnitudes * 1e-12);
      EXPECT_NEAR(kernels.squares_sum(x.values, count, kMean), squares, squares * 1e-12);
    }
  });
}

TYPED_TEST(BlockKernelsTest, Extremes) {
  for_each_target([&] {
    const auto& kernels = block_kernels<TypeParam>();
    for (const std::size_t count : kCounts) {
      for (const bool special : {false, true}) {
        BlockOf<TypeParam> x;
        this->fill(x, count, special);
        const auto extremes = kernels.extremes(x.values, count);
        TypeParam min = std::numeric_limits<TypeParam>::infinity();
        TypeParam max = -min;
        bool has_nan = false;
        for (std::size_t i = 0; i < count; ++i) {
          has_nan |= std::isnan(x.values[i]);
          if (x.values[i] < min) min = x.values[i];
          if (x.values[i] > max) max = x.values[i];
        }
        EXPECT_EQ(extremes.has_nan, has_nan);
        EXPECT_EQ(extremes.min, min);
        EXPECT_EQ(extremes.max, max);
      }
    }
  });
}

TYPED_TEST(BlockKernelsTest, SplitAndCollect) {
  for_each_target([&] {
    const auto& kernels = block_kernels<TypeParam>();
    constexpr TypeParam kInfinity = std::numeric_limits<TypeParam>::infinity();
    const std::pair<TypeParam, TypeParam> bounds[] = {{TypeParam{-0.5}, TypeParam{0.5}}, {TypeParam{0}, TypeParam{0}},
                                                      {-kInfinity, kInfinity},           {TypeParam{0}, 1},
                                                      {TypeParam{1}, TypeParam{1}},      {kInfinity, kInfinity},
                                                      {TypeParam{3}, TypeParam{3.25}}};
    for (const std::size_t count : kCounts) {
      for (const auto& [low, high] : bounds) {
        BlockOf<TypeParam> x, inside, collected;
        this->fill(x, count, true);
        std::uint64_t below = 0;
        std::vector<TypeParam> expected;
        for (std::size_t i = 0; i < count; ++i) {
          const TypeParam v = x.values[i];
          below += (low == high ? v < low : v <= low) ? 1 : 0;
          if (low == high ? v == low : v > low && v < high) expected.push_back(v);
        }
        const BlockSplit split = kernels.split(x.values, count, low, high, inside.values);
        EXPECT_EQ(split.low, below) << count;
        ASSERT_EQ(split.inside, expected.size()) << count;
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), inside.values));
        EXPECT_EQ(kernels.split(x.values, count, low, high, nullptr).inside, expected.size());
        if (low == high) continue;
        ASSERT_EQ(kernels.collect(x.values, count, low, high, collected.values), expected.size());
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), collected.values));
      }
    }
  });
}

TYPED_TEST(BlockKernelsTest, CountBeyondComparesAsDoublesDo) {
  for_each_target([&] {
    const auto& kernels = block_kernels<TypeParam>();
    for (const double tolerance : {0.1, static_cast<double>(0.1F), 1e-300, 0.0, -1.0}) {
      for (const std::size_t count : kCounts) {
        BlockOf<TypeParam> absolute, relative;
        this->fill(absolute, count, true);
        this->fill(relative, count, true);
        absolute.values[0] = static_cast<TypeParam>(0.1);
        std::uint64_t expected = 0;
        for (std::size_t i = 0; i < count; ++i) {
          const bool near = static_cast<double>(absolute.values[i]) <= tolerance ||
                            static_cast<double>(relative.values[i]) <= 2 * tolerance;
          expected += near ? 0 : 1;
        }
        EXPECT_EQ(kernels.count_beyond(absolute.values, relative.values, count, tolerance, 2 * tolerance), expected);
      }
    }
  });
}

TYPED_TEST(BlockKernelsTest, Measure) {
  for_each_target([&] {
    const auto& kernels = block_kernels<TypeParam>();
    for (const std::size_t count : kCounts) {
      BlockOf<TypeParam> a, b, absolute, relative;
      std::normal_distribution<TypeParam> normal;
      for (std::size_t i = 0; i < kBlock + kSlack; ++i)
        a.values[i] = normal(this->random_), b.values[i] = 2 + a.values[i];
      kernels.differences(a.values, b.values, count, {}, absolute.values, relative.values);
      const auto measured = kernels.measure(a.values, b.values, absolute.values, relative.values, count, 1, 1);
      long double product = 0, squares = 0, sum = 0;
      for (std::size_t i = 0; i < count; ++i) {
        product += static_cast<long double>(a.values[i]) * b.values[i];
        squares += std::pow(static_cast<long double>(a.values[i]) - b.values[i], 2.0L);
        sum += absolute.values[i];
      }
      EXPECT_NEAR(measured.product, static_cast<double>(product), 1e-12 * static_cast<double>(squares + 1));
      EXPECT_NEAR(measured.difference_squared, static_cast<double>(squares), 1e-12 * static_cast<double>(squares));
      EXPECT_NEAR(measured.absolute_sum, static_cast<double>(sum), 1e-12 * static_cast<double>(sum));
      EXPECT_EQ(measured.absolute_max, *std::max_element(absolute.values, absolute.values + count));
      EXPECT_EQ(measured.relative_max, *std::max_element(relative.values, relative.values + count));
      EXPECT_EQ(measured.first_peak, *std::max_element(a.values, a.values + count));
      EXPECT_FALSE(measured.special);
      for (BlockOf<TypeParam>* strange : {&a, &b}) {
        const TypeParam good = std::exchange(strange->values[count - 1], std::numeric_limits<TypeParam>::infinity());
        kernels.differences(a.values, b.values, count, {}, absolute.values, relative.values);
        EXPECT_TRUE(kernels.measure(a.values, b.values, absolute.values, relative.values, count, 1, 1).special);
        strange->values[count - 1] = good;
      }
    }
  });
}

TEST(LargestUlp, IsThatOfTheBits) {
  for_each_target([&] {
    std::mt19937_64 random(2);
    for (const std::size_t count : kCounts) {
      BlockOf<float> a, b;
      std::int64_t expected = 0;
      for (std::size_t i = 0; i < kBlock + kSlack; ++i) {
        const auto bits = static_cast<std::uint32_t>(random());
        a.values[i] = std::bit_cast<float>(bits);
        b.values[i] = std::bit_cast<float>(static_cast<std::uint32_t>(i % 7 == 0 ? random() : bits + random() % 1000));
        const auto place = [](float v) {
          const auto n = std::bit_cast<std::int32_t>(v);
          return n >= 0 ? std::int64_t{n} : -std::int64_t{n & 0x7fffffff};
        };
        if (i >= count || std::isnan(a.values[i]) || std::isnan(b.values[i])) continue;
        expected = std::max(expected, std::abs(place(a.values[i]) - place(b.values[i])));
      }
      EXPECT_EQ(largest_ulp(a.values, b.values, count), expected);
    }
  });
}

}  // namespace
}  // namespace assay::stats

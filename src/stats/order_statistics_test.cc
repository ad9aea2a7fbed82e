#include "stats/order_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace assay::stats {
namespace {

template <class Real>
class Values final : public Series<Real> {
 public:
  explicit Values(std::vector<Real> values) : values_(std::move(values)) {}
  [[nodiscard]] std::uint64_t size() const override { return values_.size(); }
  void read(std::uint64_t begin, std::size_t count, Real* out) const override {
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(begin), count, out);
  }

 private:
  std::vector<Real> values_;
};

template <class Real>
void expect_as_sorted(std::vector<Real> values) {
  const Values<Real> series(values);
  std::ranges::sort(values);
  std::vector<std::uint64_t> ranks = {0, values.size() - 1, values.size() / 2, values.size() / 3, values.size() / 2};
  std::mt19937_64 random(1);
  for (int i = 0; i < 8; ++i) ranks.push_back(random() % values.size());
  const std::vector<Real> found = values_at_ranks<Real>(series, ranks);
  for (std::size_t i = 0; i < ranks.size(); ++i) EXPECT_EQ(found[i], values[ranks[i]]) << "rank " << ranks[i];
}

template <class Real>
class ValuesAtRanks : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(ValuesAtRanks, Reals);

TYPED_TEST(ValuesAtRanks, AreThoseOfTheSortedSeries) {
  std::mt19937_64 random(7);
  for (const std::size_t size : {1, 2, 1000, 40000, 500000, (1 << 22) + 1}) {
    std::vector<TypeParam> normal(size);
    std::normal_distribution<TypeParam> spread(0, 100);
    for (TypeParam& value : normal) value = spread(random);
    expect_as_sorted(normal);

    std::vector<TypeParam> few(size);  // many duplicates
    for (TypeParam& value : few) value = static_cast<TypeParam>(random() % 5) - 2;
    expect_as_sorted(few);

    std::vector<TypeParam> close(size);  // differ in the last bits only
    for (TypeParam& value : close) {
      value = 1 + static_cast<TypeParam>(random() % 1000) * std::numeric_limits<TypeParam>::epsilon();
    }
    expect_as_sorted(close);
  }
}

TYPED_TEST(ValuesAtRanks, TakeExtremesAndInfinities) {
  using Limits = std::numeric_limits<TypeParam>;
  for (const std::size_t size : {50000, 1 << 23}) {
    std::vector<TypeParam> values(size, 1);
    values[3] = -Limits::infinity();
    values[5] = Limits::infinity();
    values[7] = Limits::lowest();
    values[9] = Limits::max();
    values[11] = Limits::denorm_min();
    values[13] = -Limits::denorm_min();
    std::vector<std::uint64_t> ranks;
    for (std::uint64_t i = 0; i < 6; ++i) ranks.insert(ranks.end(), {i, values.size() - 1 - i});
    const std::vector<TypeParam> found = values_at_ranks<TypeParam>(Values<TypeParam>(values), ranks);
    std::ranges::sort(values);
    for (std::size_t i = 0; i < ranks.size(); ++i) EXPECT_EQ(found[i], values[ranks[i]]);
  }
}

}  // namespace
}  // namespace assay::stats

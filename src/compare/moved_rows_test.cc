#include "compare/moved_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace assay::compare {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using testing::HasSubstr;
using testing::StartsWith;

constexpr Tolerances kTolerances{.absolute = 1e-2, .relative = 1e-2};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Tensor floats(const tensor::Shape& shape, const std::vector<float>& values) {
  return Tensor::of(ElementType::float32, shape, values);
}

// {differing, moved}
std::pair<int, int> find(const Tensor& first, const Tensor& second, const Tolerances& tolerances = kTolerances,
                         stats::EqualSpecials equal = {}) {
  const auto rows = find_moved_rows(first, second, tolerances, equal);
  return rows ? std::pair(static_cast<int>(rows->differing), static_cast<int>(rows->moved)) : std::pair(-1, -1);
}

TEST(MovedRows, FindsRowsInAnotherOrder) {
  const Tensor first = floats({1, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(find(first, first), std::pair(0, 0));
  EXPECT_EQ(find(first, floats({1, 4, 2}, {1, 2, 5.001F, 6, 3, 4, 7, 8})), std::pair(2, 2));
  EXPECT_EQ(find(first, floats({1, 4, 2}, {1, 2, 5, 6, 9, 9.5F, 7, 8})), std::pair(2, 1));
  EXPECT_EQ(find(first, floats({1, 4, 2}, {2, 1, 4, 3, 6, 5, 8, 7})), std::pair(4, 0)) << "within the rows";
}

TEST(MovedRows, GivesEachRowAPartnerOfItsOwn) {
  EXPECT_EQ(find(floats({3, 2}, {1, 2, 1, 2, 3, 4}), floats({3, 2}, {3, 4, 3, 4, 1, 2})), std::pair(3, 2));
  // Rows of padding are the same everywhere, so one in another place says nothing.
  EXPECT_EQ(find(floats({3, 2}, {1, 2, 0, 0, 3, 4}), floats({3, 2}, {0, 0, 5, 6, 0, 0})), std::pair(3, 0));
}

TEST(MovedRows, ComparesAllRowsIfTheirNumbersDiffer) {
  const Tensor first = Tensor::of<std::int64_t>(ElementType::int64, {3, 3}, {0, 0, 5, 0, 0, 9, 0, 0, 2});
  const Tensor second = Tensor::of<std::int64_t>(ElementType::int64, {2, 3}, {0, 0, 9, 0, 0, 5});
  EXPECT_EQ(find(first, second), std::pair(3, 2));
  EXPECT_THAT(
      describe_moved_rows(first, second, kTolerances, {}),
      StartsWith("2 of 3 rows agree with a row of the other run. TopK and NonMaxSuppression choose other rows"));
}

TEST(MovedRows, RefusesWhatHasNoRows) {
  const auto none = std::pair(-1, -1);
  EXPECT_EQ(find(floats({4}, {1, 2, 3, 4}), floats({4}, {2, 1, 3, 4})), none);
  EXPECT_EQ(find(floats({2, 1}, {1, 2}), floats({2, 1}, {2, 1})), none);
  EXPECT_EQ(find(floats({2, 2}, {1, 2, 3, 4}), floats({1, 4}, {1, 2, 3, 4})), none);
  EXPECT_EQ(find(floats({0, 2}, {}), floats({1, 2}, {1, 2})), none);
  EXPECT_EQ(find(floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {3, 4, 1, 2}), {.absolute = 1, .relative = 2}), none);
}

TEST(MovedRows, JudgesSpecialValuesAsTheComparisonDoes) {
  const Tensor first = floats({2, 3}, {1, 2, kNan, 3, 4, 5});
  const Tensor second = floats({2, 3}, {3, 4, 5, 1, 2, kNan});
  EXPECT_EQ(find(first, second), std::pair(2, 1));
  EXPECT_EQ(find(first, second, kTolerances, stats::EqualSpecials::both()), std::pair(2, 2));
}

// Every shuffled row is found, however many rows share the values of a column.
TEST(MovedRows, FindsAllRowsOfAShuffle) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> digit(0, 9);
  std::vector<std::vector<float>> rows;
  for (int i = 0; i < 500; ++i) {
    rows.push_back({0, static_cast<float>(digit(random)), static_cast<float>(i), static_cast<float>(digit(random))});
  }
  const auto tensor_of = [](const std::vector<std::vector<float>>& all) {
    std::vector<float> values;
    for (const std::vector<float>& row : all) values.insert(values.end(), row.begin(), row.end());
    return floats({static_cast<std::int64_t>(all.size()), 4}, values);
  };
  const Tensor first = tensor_of(rows);
  std::ranges::rotate(rows, rows.begin() + 1);
  const Tensor second = tensor_of(rows);
  EXPECT_EQ(find(first, second, {.absolute = 0.25, .relative = 0}), std::pair(500, 500));
  EXPECT_THAT(describe_moved_rows(first, second, {.absolute = 0.25, .relative = 0}, {}),
              HasSubstr("500 of the 500 differing rows agree with another row"));
}

TEST(MovedRows, SaysNothingOfFewRows) {
  const Tensor first = floats({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(describe_moved_rows(first, floats({4, 2}, {3, 4, 10, 20, 30, 40, 50, 60}), kTolerances, {}), "");
  EXPECT_EQ(describe_moved_rows(first, first, kTolerances, {}), "");
}

}  // namespace
}  // namespace assay::compare

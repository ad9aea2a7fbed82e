#include "blame/rank_by_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace assay::blame {
namespace {

using testing::ElementsAre;
using testing::Optional;

// A model whose nodes make these errors in float16, independent of each other. Counts its runs, and passes if the whole
// error is at most 1.
class Errors {
 public:
  explicit Errors(std::vector<double> errors) : errors_(std::move(errors)) {}

  [[nodiscard]] double error(const std::vector<int>& kept) const {
    double squares = 0;
    for (int node = 0; node < static_cast<int>(errors_.size()); ++node) {
      const double error = errors_[static_cast<std::size_t>(node)];
      if (!std::ranges::binary_search(kept, node)) squares += error * error;
    }
    return std::sqrt(squares);
  }
  [[nodiscard]] base::Expected<std::optional<std::vector<int>>> rank(const std::vector<int>& always = {}) {
    const PrecisionTest test = [this](const std::vector<int>& kept) -> base::Expected<PrecisionTrial> {
      ++runs;
      return PrecisionTrial{.passes = error(kept) <= 1, .error = error(kept)};
    };
    return rank_by_error(static_cast<int>(errors_.size()), always, error(always), test);
  }

  int runs = 0;

 private:
  std::vector<double> errors_;
};

TEST(RankByError, TheLargestErrorsComeFirst) {
  std::vector<double> errors(64, 0.01);
  errors[40] = 3;
  errors[7] = 2;
  Errors model(errors);
  const auto ranked = model.rank();
  ASSERT_TRUE(ranked && *ranked);
  EXPECT_EQ((*ranked)->size(), 64);
  EXPECT_THAT(std::vector((*ranked)->begin(), (*ranked)->begin() + 2), ElementsAre(40, 7));
  EXPECT_LE(model.runs, 2 * 2 * std::log2(64)) << "ranges with small errors aren't halved";
}

TEST(RankByError, OneHalfTellsTheErrorOfTheOther) {
  std::vector<double> errors(64, 0.0);
  errors.back() = 3;
  Errors last(errors);
  EXPECT_EQ(last.rank().value()->front(), 63);
  EXPECT_EQ(last.runs, std::log2(64));
  Errors both({2, 3});
  EXPECT_THAT(both.rank().value(), Optional(ElementsAre(1, 0)));
  EXPECT_EQ(both.runs, 1);
}

TEST(RankByError, BothHalvesRunIfTheFirstHasNearlyAllOfTheError) {
  Errors model({3, 1, 0.5, 0.25});
  EXPECT_THAT(model.rank().value(), Optional(ElementsAre(0, 1, 2, 3)));
  EXPECT_EQ(model.runs, 4);
}

TEST(RankByError, NumbersThatAreAlwaysKeptAreLeftOut) {
  Errors model({5, 1, 0, 2, 5});
  EXPECT_THAT(model.rank({0, 4}).value(), Optional(ElementsAre(3, 1, 2)));
}

TEST(RankByError, OutputsThatCannotBeComparedAreTheLargestError) {
  const PrecisionTest overflows_in_2 = [](const std::vector<int>& kept) -> base::Expected<PrecisionTrial> {
    return PrecisionTrial{.passes = false, .error = std::ranges::binary_search(kept, 2) ? 0.5 : kNotComparable};
  };
  EXPECT_THAT(rank_by_error(4, {}, kNotComparable, overflows_in_2).value(), Optional(ElementsAre(2, 0, 1, 3)));
}

TEST(RankByError, WithoutTheErrorOfARunThereIsNoRanking) {
  const PrecisionTest unknown = [](const std::vector<int>&) -> base::Expected<PrecisionTrial> {
    return PrecisionTrial{.passes = false};
  };
  EXPECT_EQ(rank_by_error(4, {}, 2, unknown).value(), std::nullopt);
  const PrecisionTest stopped = [](const std::vector<int>&) -> base::Expected<PrecisionTrial> {
    return base::fail(base::ErrorKind::interrupted, "stopped");
  };
  EXPECT_FALSE(rank_by_error(4, {}, 2, stopped));
}

}  // namespace
}  // namespace assay::blame

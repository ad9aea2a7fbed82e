// The expected order is Polygraphy's: a stable sort by falling value.
#include "run/take_top.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace assay::run {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using testing::ElementsAre;

std::vector<std::int64_t> top(const Tensor& tensor, const TopOptions& options) {
  const auto result = take_top(tensor, options);
  EXPECT_TRUE(result);
  std::vector<std::int64_t> indices;
  for (std::uint64_t i = 0; result && i < result->size(); ++i) indices.push_back(result->load<std::int64_t>(i));
  return indices;
}

TEST(TakeTop, GivesTheLargestFirstAndEqualOnesInOrder) {
  const Tensor scores = Tensor::of<float>(ElementType::float32, {2, 4}, {1, 3, 2, 3, 4, 4, std::nanf(""), 4});
  EXPECT_THAT(top(scores, {3, -1}), ElementsAre(1, 3, 2, 0, 1, 3));
  EXPECT_THAT(top(scores, {9, 1}), ElementsAre(1, 3, 2, 0, 0, 1, 3, 2)) << "no more than there are, NaN last";
  EXPECT_THAT(top(scores, {1, 0}), ElementsAre(1, 1, 0, 1));
  EXPECT_EQ(take_top(scores, {3, -1})->shape(), (tensor::Shape{2, 3}));
  EXPECT_EQ(take_top(scores, {1, 0})->shape(), (tensor::Shape{1, 4}));
}

// 2^53 + 1 isn't representable as a double.
TEST(TakeTop, DistinguishesLargeIntegers) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 53;
  EXPECT_THAT(top(Tensor::of<std::int64_t>(ElementType::int64, {4}, {5, kLarge, kLarge + 1, 3}), {2, -1}),
              ElementsAre(2, 1));
}

TEST(TakeTop, LeavesOutputsAloneThatItIsNotFor) {
  const Tensor words = Tensor::make_strings({1}, {"a"}).value();
  EXPECT_EQ(take_top(words, {})->strings()[0], "a");
  EXPECT_FALSE(take_top(words, {1, -1}));
  EXPECT_FALSE(take_top(Tensor::of<float>(ElementType::float32, {}, {1}), {1, -1})) << "a scalar has no axis";
}

TEST(ParseTop, TakesCountAndAxis) {
  EXPECT_EQ(parse_top("top-5")->count, 5);
  EXPECT_EQ(parse_top("top-5")->axis, -1);
  EXPECT_EQ(parse_top("top-1,axis=0")->axis, 0);
  EXPECT_EQ(parse_top("top-1,axis=-2")->axis, -2);
  EXPECT_EQ(parse_top("top-0")->count, 0) << "leaves an output unchanged, as in Polygraphy";
  for (const char* text : {"top--1", "top-x", "top", "5", "top-1,axis", "top-1,axis=1,axis=2", "top-1,ax=1"}) {
    EXPECT_FALSE(parse_top(text)) << text;
  }
}

}  // namespace
}  // namespace assay::run

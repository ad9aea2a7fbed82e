#include "tensor/transpose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tensor/convert.h"

namespace assay::tensor {
namespace {

using testing::ElementsAre;

// Expected values: numpy.arange(6).reshape(1, 2, 3).transpose(2, 0, 1).
TEST(TransposeTest, MovesElementsOfEveryWidth) {
  const double values[] = {0, 1, 2, 3, 4, 5};
  for (const ElementType type : {ElementType::float64, ElementType::int32, ElementType::float16, ElementType::uint8,
                                 ElementType::int4, ElementType::float6e2m3}) {
    const auto got = transpose(from_doubles(type, {1, 2, 3}, values), {2, 0, 1});
    ASSERT_TRUE(got);
    EXPECT_EQ(got->shape(), (Shape{3, 1, 2})) << name(type);
    EXPECT_THAT(to_doubles(*got), ElementsAre(0, 3, 1, 4, 2, 5)) << name(type);
  }
}

TEST(TransposeTest, MovesStrings) {
  const auto got = transpose(*Tensor::make_strings({2, 2}, {"a", "b", "c", "d"}), {1, 0});
  ASSERT_TRUE(got);
  EXPECT_THAT(got->strings(), ElementsAre("a", "c", "b", "d"));
}

TEST(TransposeTest, ScalarsAndEmptyTensorsStay) {
  EXPECT_EQ(transpose(from_doubles(ElementType::float32, {}, std::vector<double>{3}), {})->load<float>(0), 3);
  EXPECT_EQ(transpose(from_doubles(ElementType::float32, {0, 5}, {}), {1, 0})->shape(), (Shape{5, 0}));
}

TEST(TransposeTest, RejectsInvalidPermutations) {
  const Tensor tensor = from_doubles(ElementType::float32, {1, 2}, std::vector<double>{1, 2});
  EXPECT_FALSE(transpose(tensor, {0}));
  EXPECT_FALSE(transpose(tensor, {0, 0}));
  EXPECT_FALSE(transpose(tensor, {0, 2}));
  EXPECT_FALSE(transpose(tensor, {0, 1, 1}));
}

TEST(ReshapeTest, SharesTheElements) {
  const Tensor tensor = from_doubles(ElementType::float32, {2, 3}, std::vector<double>{0, 1, 2, 3, 4, 5});
  const auto got = reshape(tensor, {3, 2});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->bytes().data(), tensor.bytes().data());
  EXPECT_FALSE(reshape(tensor, {4, 2}));
}

}  // namespace
}  // namespace assay::tensor

#include "compare/align_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tensor/convert.h"

namespace assay::compare {
namespace {

using tensor::ElementType;
using tensor::Shape;
using testing::ElementsAre;

TEST(AlignTo, PermutesTheAxesOfPackedElements) {
  const double values[] = {0, 1, 2, 3, 4, 5};
  const auto aligned = align_to(tensor::from_doubles(ElementType::int4, {2, 3}, values), {3, 2});
  ASSERT_TRUE(aligned);
  EXPECT_EQ(aligned->shape(), (Shape{3, 2}));
  EXPECT_THAT(tensor::to_doubles(*aligned), ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(AlignTo, ReshapesIfTheDimensionsDiffer) {
  const double values[] = {0, 1, 2, 3};
  const auto aligned = align_to(tensor::from_doubles(ElementType::float32, {4}, values), {2, 2});
  ASSERT_TRUE(aligned);
  EXPECT_THAT(tensor::to_doubles(*aligned), ElementsAre(0, 1, 2, 3));
  EXPECT_FALSE(align_to(*aligned, {3}));
}

}  // namespace
}  // namespace assay::compare

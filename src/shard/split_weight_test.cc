#include "shard/split_weight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "model/weights.h"
#include "tensor/convert.h"

namespace assay::shard {
namespace {

using tensor::ElementType;
using testing::ElementsAre;
using testing::HasSubstr;

// Returns a part of a weight whose elements are 0, 1, 2, ...
base::Expected<std::vector<double>> part_of_weight(ElementType type, const tensor::Shape& shape, int axis,
                                                   const Part& part) {
  std::vector<double> values(tensor::element_count(shape).value());
  std::iota(values.begin(), values.end(), 0);
  model::Model model;
  onnx::TensorProto& weight = *model.graph().add_initializer();
  weight = model::to_proto("w", tensor::from_doubles(type, shape, values));
  model::WeightSpill spill(model);
  ASSAY_TRY(keep_part(model, weight, axis, part, spill));
  ASSAY_TRY(spill.finish(model));
  ASSAY_ASSIGN(const tensor::Tensor kept, model::read_weight(model, weight));
  return tensor::to_doubles(kept);
}

TEST(KeepPart, CutsRowsAndColumns) {
  EXPECT_THAT(part_of_weight(ElementType::float32, {4, 2}, 0, {.index = 1, .count = 2}).value(),
              ElementsAre(4, 5, 6, 7));
  EXPECT_THAT(part_of_weight(ElementType::float32, {2, 4}, 1, {.index = 1, .count = 2}).value(),
              ElementsAre(2, 3, 6, 7));
  EXPECT_THAT(part_of_weight(ElementType::float32, {2, 4}, 1, {.index = 0, .count = 4}).value(), ElementsAre(0, 4));
  EXPECT_THAT(part_of_weight(ElementType::float16, {6}, 0, {.index = 2, .count = 3}).value(), ElementsAre(4, 5));
  EXPECT_THAT(part_of_weight(ElementType::int64, {2, 2, 2}, 1, {.index = 1, .count = 2}).value(),
              ElementsAre(2, 3, 6, 7));
}

TEST(KeepPart, CutsPackedElementsBetweenBytes) {
  EXPECT_THAT(part_of_weight(ElementType::uint4, {2, 4}, 1, {.index = 1, .count = 2}).value(), ElementsAre(2, 3, 6, 7));
  EXPECT_THAT(part_of_weight(ElementType::uint4, {4, 3}, 0, {.index = 1, .count = 2}).value(),
              ElementsAre(6, 7, 8, 9, 10, 11));
  const auto inside_a_byte = part_of_weight(ElementType::uint4, {2, 6}, 1, {.index = 0, .count = 2});
  ASSERT_FALSE(inside_a_byte);
  EXPECT_THAT(inside_a_byte.error().message(), HasSubstr("the parts of weight 'w' don't consist of whole bytes"));
}

TEST(KeepPart, RefusesUnequalParts) {
  const auto result = part_of_weight(ElementType::float32, {2, 4}, 1, {.index = 0, .count = 3});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message(),
              HasSubstr("dimension 1 of weight 'w' is 4, which can't be split into 3 equal parts (in --nb-rank)"));
}

TEST(KeepPart, RefusesNegativeDimensions) {
  model::Model model;
  onnx::TensorProto& weight = *model.graph().add_initializer();
  weight = model::to_proto("w", tensor::from_doubles(ElementType::float32, {2}, std::vector<double>{1, 2}));
  weight.set_dims(0, -2);
  model::WeightSpill spill(model);
  const base::Status kept = keep_part(model, weight, 0, {.index = 0, .count = 2}, spill);
  ASSERT_FALSE(kept);
  EXPECT_THAT(kept.error().message(), HasSubstr("cannot have the shape (-2,)"));
}

TEST(KeepPart, EmptyWeightsStayEmpty) {
  EXPECT_THAT(part_of_weight(ElementType::float32, {0, 4}, 1, {.index = 1, .count = 2}).value(), testing::IsEmpty());
}

TEST(KeepPart, LargeWeightsAreCutLikeSmallOnes) {
  const auto kept = part_of_weight(ElementType::float32, {1000, 200}, 1, {.index = 1, .count = 2});
  ASSERT_TRUE(kept) << kept.error().message();
  ASSERT_EQ(kept->size(), 100'000);
  EXPECT_EQ(kept->front(), 100);
  EXPECT_EQ(kept->at(100), 300);
  EXPECT_EQ(kept->back(), 199'999);
}

}  // namespace
}  // namespace assay::shard

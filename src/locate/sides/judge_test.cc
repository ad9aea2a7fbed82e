#include "locate/sides/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace assay::locate {
namespace {

using testing::HasSubstr;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

tensor::Tensor floats(const std::vector<float>& values) {
  return tensor::Tensor::of<float>(tensor::ElementType::float32, {static_cast<std::int64_t>(values.size())}, values);
}

compare::ComparePlan plan(const std::string& function = "simple") {
  compare::ComparePlan plan;
  plan.functions = compare::find_compare_functions({function}).value();
  return plan;
}

TEST(Judge, TakesTolerancesByTheTensorsName) {
  compare::ComparePlan tolerant = plan();
  tolerant.options.set(compare::kAbsoluteTolerance, 0.5, "a");
  EXPECT_FALSE(judge("a", floats({1, 2}), floats({1, 2.25}), tolerant).differs);
  EXPECT_TRUE(judge("b", floats({1, 2}), floats({1, 2.25}), tolerant).differs);
}

TEST(Judge, SizeIsTheNormOfTheDifferenceByThatOfTheSecond) {
  const Divergence divergence = judge("a", floats({3, 4.5}), floats({3, 4}), plan());
  EXPECT_TRUE(divergence.differs);
  EXPECT_DOUBLE_EQ(divergence.size, 0.1);
  EXPECT_DOUBLE_EQ(divergence.error.absolute.max, 0.5);
  EXPECT_EQ(divergence.error.beyond, 1U);
}

TEST(Judge, NanBesideNanAndEqualInfinitiesAgree) {
  EXPECT_FALSE(judge("a", floats({kNan, -kInf, 1}), floats({kNan, -kInf, 1}), plan()).differs);
  const Divergence near = judge("a", floats({kNan, -kInf, 1}), floats({kNan, -kInf, 1.000001F}), plan());
  EXPECT_FALSE(near.differs);
  EXPECT_TRUE(std::isfinite(near.size));
  EXPECT_TRUE(judge("a", floats({kNan, 1}), floats({0, 1}), plan()).differs);
  EXPECT_TRUE(judge("a", floats({kInf}), floats({-kInf}), plan()).differs);
  EXPECT_TRUE(judge("a", floats({kInf}), floats({1}), plan()).differs);
}

TEST(Judge, NanBesideNanAgreesByEveryFunction) {
  for (const char* function : {"l2", "cosine_similarity", "psnr", "snr", "ulp"}) {
    const Divergence near = judge("a", floats({kNan, 1, 2}), floats({kNan, 1.000001F, 2}), plan(function));
    EXPECT_EQ(near.differs, std::string(function) == "ulp") << function;
    EXPECT_TRUE(judge("a", floats({kNan, 1, 2}), floats({0, 1, 2}), plan(function)).differs) << function;
    const Divergence far = judge("a", floats({kNan, 1, 2}), floats({kNan, -1, 2}), plan(function));
    EXPECT_TRUE(far.differs) << function;
    EXPECT_TRUE(std::isfinite(far.size)) << function;
  }
}

TEST(Judge, ShapesAndTypesThatCannotBeComparedDiffer) {
  const Divergence shapes = judge("a", floats({1, 2}), floats({1, 2, 3}), plan());
  EXPECT_TRUE(shapes.differs);
  EXPECT_TRUE(std::isinf(shapes.size));
  EXPECT_THAT(shapes.why, testing::Not(testing::IsEmpty()));
  const tensor::Tensor word = tensor::Tensor::make_strings({1}, {"x"}).value();
  EXPECT_TRUE(judge("a", floats({1}), word, plan()).differs);
  EXPECT_FALSE(judge("a", word, word, plan()).differs);
  const Divergence words = judge("a", word, tensor::Tensor::make_strings({1}, {"y"}).value(), plan());
  EXPECT_TRUE(words.differs);
  EXPECT_GT(words.size, 0);
}

TEST(Judge, AsksOtherWaysOfComparing) {
  compare::ComparePlan cosine = plan("cosine_similarity");
  EXPECT_FALSE(judge("a", floats({1, 2}), floats({2, 4}), cosine).differs) << "the same direction";
  EXPECT_TRUE(judge("a", floats({1, 2}), floats({2, -1}), cosine).differs);
  compare::ComparePlan mean = plan();
  mean.options.set(compare::kErrorStat, static_cast<double>(compare::ErrorStat::mean));
  mean.options.set(compare::kAbsoluteTolerance, 0.3);
  EXPECT_FALSE(judge("a", floats({1, 2}), floats({1, 2.5}), mean).differs) << "0.25 on average";
}

TEST(Judge, ComparesAcrossFloatTypes) {
  const tensor::Tensor half = tensor::Tensor::of<std::uint16_t>(tensor::ElementType::float16, {2}, {0x3c00, 0x4000});
  EXPECT_FALSE(judge("a", half, floats({1, 2}), plan()).differs);
  EXPECT_TRUE(judge("a", half, floats({1, 2.01F}), plan()).differs);
}

}  // namespace
}  // namespace assay::locate

#include "diagnose/opinions.h"

#include <gtest/gtest.h>

#include <limits>

#include "compare/compare_function.h"

namespace assay::diagnose {
namespace {

Opinion opinion(std::string name, const std::vector<float>& values) {
  tensor::NamedTensors outputs;
  outputs.set("y",
              tensor::Tensor::of(tensor::ElementType::float32, {static_cast<std::int64_t>(values.size())}, values));
  return {std::move(name), {outputs}};
}

compare::ComparePlan plan() {
  compare::ComparePlan plan;
  plan.functions = {compare::compare_functions().data()};  // `simple`
  return plan;
}

TEST(Opinions, TheSideThatAnotherOneAgreesWithIsRight) {
  const FaultChoice judgement =
      choose_fault(opinion("a", {1, 2}), opinion("b", {1, 3}), {opinion("c", {1, 3})}, plan());
  EXPECT_EQ(judgement.fault, Fault::first);
  EXPECT_EQ(judgement.why, "c agrees with b");
}

TEST(Opinions, DecideNothingIfAllThreeDiffer) {
  EXPECT_EQ(choose_fault(opinion("a", {1, 2}), opinion("b", {1, 3}), {opinion("c", {1, 9})}, plan()).fault,
            Fault::unknown);
  EXPECT_EQ(choose_fault(opinion("a", {1, 2}), opinion("b", {1, 3}), {}, plan()).fault, Fault::unknown);
}

TEST(Opinions, MuchCloserIsEnough) {
  EXPECT_EQ(choose_fault(opinion("a", {1, 2}), opinion("b", {1, 3}), {opinion("c", {1, 2.001F})}, plan()).fault,
            Fault::second);
}

// The error of NaN isn't a number, so that the largest number among the errors is 0.
TEST(Opinions, NothingIsCloseToNaN) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  const FaultChoice judgement =
      choose_fault(opinion("a", {kNaN, kNaN}), opinion("b", {1, 3}), {opinion("c", {1, 3.5F})}, plan());
  EXPECT_EQ(judgement.fault, Fault::first);
  EXPECT_EQ(judgement.why, "c is much closer to b");
  const Comparison comparison = compare(opinion("a", {kNaN, 3}).outputs, opinion("b", {1, 3}).outputs, plan());
  EXPECT_EQ(comparison.absolute, std::numeric_limits<double>::infinity());
  EXPECT_EQ(comparison.text,
            "output 'y' differs in 1 element that is NaN on one side only (1 of 2 elements beyond the tolerances)");
}

TEST(Opinions, NothingIsCloseToAnotherShape) {
  const FaultChoice judgement =
      choose_fault(opinion("a", {1, 2, 3}), opinion("b", {1, 3}), {opinion("c", {1, 3.5F})}, plan());
  EXPECT_EQ(judgement.fault, Fault::first);
  EXPECT_EQ(judgement.why, "c is much closer to b");
}

TEST(Opinions, Top1CountsTheRowsWithTheSameLargestPlace) {
  const auto rows = [](const std::vector<float>& values) {
    tensor::NamedTensors outputs;
    outputs.set("y", tensor::Tensor::of(tensor::ElementType::float32, {2, 2}, values));
    return TensorsByIteration{outputs};
  };
  EXPECT_EQ(top1_agreement(rows({1, 2, 4, 3}), rows({1, 2, 3, 4})), 0.5);
  EXPECT_FALSE(top1_agreement({}, {}));
}

}  // namespace
}  // namespace assay::diagnose

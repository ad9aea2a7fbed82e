#include "diagnose/noise_floor.h"

#include <gtest/gtest.h>

#include <limits>

#include "compare/compare_function.h"

namespace assay::diagnose {
namespace {

TensorsByIteration outputs(const tensor::Tensor& value) {
  tensor::NamedTensors named;
  named.set("y", value);
  return {named};
}

TensorsByIteration word(const std::string& text) {
  return outputs(tensor::Tensor::make_strings({1}, {text}).value());
}

TensorsByIteration number(float value) {
  return outputs(tensor::Tensor::of<float>(tensor::ElementType::float32, {1}, {value}));
}

bool is_noise(const TensorsByIteration& exact, double noise, const TensorsByIteration& first,
              const TensorsByIteration& second) {
  compare::ComparePlan plan;
  plan.functions = {compare::compare_functions().data()};  // `simple`
  return is_inside({.exact = exact, .noise = {{"y", noise}}}, first, second, plan);
}

TEST(NoiseFloor, ExplainsErrorsOfItsSize) {
  EXPECT_TRUE(is_noise(number(1), 0.1, number(1.5F), number(0.5F)));
  EXPECT_FALSE(is_noise(number(1), 0.1, number(1), number(3)));
}

TEST(NoiseFloor, ExplainsNoOtherStrings) {
  EXPECT_FALSE(is_noise(word("a"), 0, word("b"), word("a")));
  EXPECT_TRUE(is_noise(word("a"), 0, word("a"), word("a")));
}

// For example, float16 overflows in the reference run, but not in float64.
TEST(NoiseFloor, ExplainsNothingIfItCannotBeMeasured) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(is_noise(number(1), kInfinity, number(1), number(3)));
  EXPECT_FALSE(is_noise(word("a"), kInfinity, word("b"), word("a")));
}

}  // namespace
}  // namespace assay::diagnose

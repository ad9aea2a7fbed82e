#include "diagnose/noise_floor.h"

#include <gtest/gtest.h>

#include <limits>

#include "compare/compare_function.h"
#include "model/load.h"

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

// Few models declare the types of the tensors inside.
TEST(NoiseFloor, ThePrecisionIsThatOfTensorsInside) {
  const auto precision = [](const std::string& nodes) {
    return precision_of(
        model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { " + nodes + " }")
            .value());
  };
  EXPECT_EQ(precision("y = Neg(x)"), "float32");
  EXPECT_EQ(precision("h = Cast<to = 10>(x)  n = Neg(h)  y = Cast<to = 1>(n)"), "float16");
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

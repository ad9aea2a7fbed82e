// The expected results come from runs of Polygraphy 0.53.6 with models of these inputs.
#include "data/fit_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/test_log.h"
#include "data/testdata/fixture.h"
#include "tensor/convert.h"
#include "tensor/transpose.h"

namespace assay::data {
namespace {

using tensor::ElementType;
using tensor::Shape;
using tensor::Tensor;
using test::named;
using testing::ElementsAre;
using testing::HasSubstr;

Tensor counting(const Shape& shape) {
  std::vector<float> values(*tensor::element_count(shape));
  std::iota(values.begin(), values.end(), 0.0F);
  return test::floats(shape, values);
}

struct Case {
  Shape given;
  std::vector<std::int64_t> wanted;
  Shape result;                   // empty: an error
  std::vector<std::size_t> axes;  // empty: reshaped
};

TEST(FitInputsTest, ShapesArePermutedOrReshapedAsInPolygraphy) {
  const std::vector<std::int64_t> image = {1, 3, 4, 5};
  const std::vector<std::int64_t> open = {-1, 3, 4};
  const Case cases[] = {{{1, 4, 5, 3}, image, {1, 3, 4, 5}, {0, 3, 1, 2}},
                        {{60}, image, {1, 3, 4, 5}, {}},
                        {{3, 20}, image, {1, 3, 4, 5}, {}},
                        {{5, 4, 3, 1}, image, {1, 3, 4, 5}, {3, 2, 1, 0}},
                        {{4, 3, 5, 1}, image, {1, 3, 4, 5}, {3, 1, 0, 2}},
                        {{1, 3, 4, 6}, image, {}, {}},
                        {{2, 3, 4, 5}, image, {}, {}},
                        {{24}, open, {2, 3, 4}, {}},
                        {{4, 3, 7}, open, {7, 3, 4}, {2, 1, 0}},
                        {{3, 4, 2}, open, {2, 3, 4}, {2, 0, 1}},
                        {{4, 3, 3}, open, {3, 3, 4}, {1, 2, 0}},
                        {{13}, open, {}, {}},
                        {{2, 3, 4, 1}, open, {2, 3, 4}, {}},
                        {{3, 2, 2}, {2, 3, 2}, {2, 3, 2}, {1, 0, 2}},
                        {{2, 2, 3}, {2, 3, 2}, {2, 3, 2}, {0, 2, 1}},
                        {{1, 1}, {}, {}, {}},
                        {{6}, {-1, 3, -1}, {}, {}}};
  for (const Case& c : cases) {
    base::SilentLog log;
    const std::vector<tensor::TensorSpec> ports = {{"x", ElementType::float32, c.wanted}};
    const auto fitted = fit_inputs(named({{"x", counting(c.given)}}), ports, log);
    const std::string what = tensor::format_shape(c.given) + " for " + tensor::format_shape(c.wanted);
    if (c.result.empty() && !c.wanted.empty()) {
      EXPECT_FALSE(fitted) << what;
      continue;
    }
    ASSERT_TRUE(fitted) << what << ": " << fitted.error().message();
    const Tensor expected =
        c.axes.empty() ? *tensor::reshape(counting(c.given), c.result) : *tensor::transpose(counting(c.given), c.axes);
    EXPECT_TRUE(tensor::identical(*fitted->find("x"), expected)) << what;
  }
}

TEST(FitInputsTest, TypesAreCastWithAWarning) {
  base::test::TestLog log;
  const std::vector<tensor::TensorSpec> ports = {{"y", ElementType::int64, {2}}, {"x", ElementType::float32, {1}}};
  const auto fitted =
      fit_inputs(named({{"x", test::floats({1}, {1})}, {"y", test::floats({2}, {3.7F, -4.2F})}}), ports, log);
  ASSERT_TRUE(fitted);
  EXPECT_THAT(fitted->names(), ElementsAre("y", "x"));
  EXPECT_EQ(fitted->find("y")->type(), ElementType::int64);
  EXPECT_THAT(tensor::to_doubles(*fitted->find("y")), ElementsAre(3, -4));
  EXPECT_THAT(log.messages(), ElementsAre(HasSubstr("'y': its type float32 is cast to int64")));
}

TEST(FitInputsTest, SharesMatchingInputsAndDropsUnknownOnes) {
  base::test::TestLog log;
  const Tensor value = counting({2, 3});
  const std::vector<tensor::TensorSpec> ports = {{"x", ElementType::float32, {-1, 3}}};
  const auto fitted = fit_inputs(named({{"stranger", value}, {"x", value}}), ports, log);
  ASSERT_TRUE(fitted);
  EXPECT_THAT(fitted->names(), ElementsAre("x"));
  EXPECT_EQ(fitted->find("x")->bytes().data(), value.bytes().data());
  EXPECT_TRUE(log.messages().empty());
}

TEST(FitInputsTest, MissingInputsAndImpossibleTypesAreNamed) {
  base::SilentLog log;
  const std::vector<tensor::TensorSpec> ports = {{"tokens", ElementType::string, {1}}};
  EXPECT_THAT(fit_inputs(named({{"a", counting({1})}, {"b", counting({1})}}), ports, log).error().message(),
              testing::AllOf(HasSubstr("'tokens'"), HasSubstr("a, b")));
  EXPECT_THAT(fit_inputs(named({{"tokens", counting({1})}}), ports, log).error().message(), HasSubstr("'tokens'"));
}

TEST(FitInputsTest, AnInputOfUnknownRankTakesEveryShape) {
  base::SilentLog log;
  const std::vector<tensor::TensorSpec> ports = {{"x", ElementType::float32, {}}};
  const auto fitted = fit_inputs(named({{"x", counting({2, 3})}}), ports, log);
  ASSERT_TRUE(fitted);
  EXPECT_THAT(fitted->find("x")->shape(), ElementsAre(2, 3));
}

// Polygraphy, too, uses a value of another name at the same position.
TEST(FitInputsTest, AnInputWithoutDataTakesTheTensorAtItsPosition) {
  base::SilentLog log;
  const std::vector<tensor::TensorSpec> ports = {{"x", ElementType::float32, {2}}, {"k", ElementType::float32, {3}}};
  const auto fitted = fit_inputs(named({{"x", counting({2})}, {"other", counting({3})}}), ports, log);
  ASSERT_TRUE(fitted);
  EXPECT_THAT(fitted->find("k")->shape(), ElementsAre(3));
  EXPECT_FALSE(fit_inputs(named({{"k", counting({3})}}), ports, log)) << "'k' is not taken for 'x'";
}

TEST(FitInputsTest, WhatCannotFitStaysAsItIs) {
  const std::vector<tensor::TensorSpec> ports = {
      {"x", ElementType::float32, {3, 2}}, {"k", ElementType::float32, {5}}, {"absent", ElementType::float32, {1}}};
  const auto values =
      fit_where_possible(named({{"x", counting({2, 3})}, {"k", counting({4})}, {"inner", counting({1})}}), ports);
  EXPECT_THAT(values.names(), ElementsAre("x", "k", "inner"));
  EXPECT_THAT(values.find("x")->shape(), ElementsAre(3, 2));
  EXPECT_THAT(values.find("k")->shape(), ElementsAre(4));
}

TEST(FitInputsTest, ATensorThatDoesNotFitIsNotSaidToBeUsed) {
  struct : base::Log {
    [[nodiscard]] bool shows(base::Level) const override { return true; }
    void write(base::Level, std::string_view message) override { text += message; }
    std::string text;
  } log;
  const std::vector<tensor::TensorSpec> ports = {{"x", ElementType::float32, {2}}};
  const auto wrong = tensor::cast(counting({3}), ElementType::float64).value();
  const auto fitted = fit_inputs(named({{"other", wrong}}), ports, log);
  ASSERT_FALSE(fitted);
  EXPECT_THAT(fitted.error().message(), HasSubstr("'other', which is at the same position, doesn't fit"));
  EXPECT_THAT(fitted.error().message(), HasSubstr("(3,)"));
  EXPECT_EQ(log.text, "");
  EXPECT_TRUE(fit_inputs(named({{"other", counting({2})}}), ports, log));
  EXPECT_EQ(log.text, "Input 'x' has no data of its name, so 'other', which is at the same position, is used");
}

}  // namespace
}  // namespace assay::data

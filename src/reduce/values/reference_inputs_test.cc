#include "reduce/values/reference_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/load.h"

namespace assay::reduce {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Values = InputChoice::Values;

model::Model with_inputs(const std::string& inputs) {
  return model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]>\ng (" + inputs +
                           ") => (float[N] y) { y = Relu(x) }")
      .value();
}

std::vector<InputChoice> choices(const std::string& inputs, const InputShapes& asked = {}) {
  return input_choices(with_inputs(inputs).graph(), asked);
}

bool has(const std::vector<InputChoice>& choices, const InputShapes& shapes) {
  return std::ranges::find(choices, shapes, &InputChoice::shapes) != choices.end();
}

TEST(InputChoices, AreOneIfNothingIsOpen) {
  EXPECT_EQ(choices("float[2,3] x").size(), 1U);
  EXPECT_EQ(choices("float[N,3] x", {{"x", {4, 3}}}).size(), 1U);
}

TEST(InputChoices, BeginWithOnesAndThenKeepBatchesAtOne) {
  const auto list = choices("float[batch,sequence] x, float[2,batch,8] state");
  ASSERT_GT(list.size(), 5U);
  EXPECT_EQ(list[0].shapes, (InputShapes{{"x", {1, 1}}, {"state", {2, 1, 8}}}));
  EXPECT_EQ(list[1].shapes, (InputShapes{{"x", {1, 2}}, {"state", {2, 1, 8}}}));
  EXPECT_TRUE(has(list, {{"x", {1, 512}}, {"state", {2, 1, 8}}}));
  EXPECT_TRUE(has(list, {{"x", {8, 8}}, {"state", {2, 8, 8}}}));
}

TEST(InputChoices, GiveEverySymbolOneSizeAndUnnamedDimensionsTheSame) {
  for (const InputChoice& choice : choices("float[n_rows,4] x, float[n_rows,?] z")) {
    EXPECT_EQ(choice.shapes.at("x")[0], choice.shapes.at("z")[0]);
  }
}

TEST(InputChoices, TakeWhatASymbolStandsForFromTheUsersShapes) {
  const auto list = choices("float[batch,sequence] x, float[2,batch,8] state", {{"x", {3, 512}}});
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].shapes, (InputShapes{{"state", {2, 3, 8}}}));
}

TEST(InputChoices, FollowSumsAndTryUnequalSizes) {
  // The text format has no such symbols.
  model::Model model = with_inputs("float[past] x, float[length] z, float[total] mask");
  model.graph().mutable_input(2)->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(0)->set_dim_param(
      "past + length");
  const auto list = input_choices(model.graph(), {});
  EXPECT_EQ(list[0].shapes, (InputShapes{{"x", {1}}, {"z", {1}}, {"mask", {1}}}));
  EXPECT_EQ(list[1].shapes, (InputShapes{{"x", {1}}, {"z", {1}}, {"mask", {2}}}));
  EXPECT_TRUE(has(choices("float[a] x, float[b] z, float[c] mask"), {{"x", {1}}, {"z", {1}}, {"mask", {2}}}));
}

TEST(InputChoices, AreNeverLargerThanMemoryLikes) {
  for (const InputChoice& choice : choices("float[a,b,c,d] x")) {
    EXPECT_LE(tensor::element_count(choice.shapes.at("x")).value(), std::uint64_t{4} << 20);
  }
}

TEST(InputChoices, HaveOtherValuesForWholeNumbers) {
  const auto list = choices("float[N] x, int64[N] indices");
  const auto zeros = std::ranges::find(list, Values::zeros, &InputChoice::values);
  const auto lengths = std::ranges::find_if(
      list, [](const InputChoice& choice) { return choice.values == Values::lengths && choice.size == 16; });
  ASSERT_NE(zeros, list.end());
  ASSERT_NE(lengths, list.end());
  const onnx::GraphProto graph = with_inputs("float[N] x, int64[N] indices").graph();
  const auto zero_values = choose_values(graph, {}, *zeros);
  const auto length_values = choose_values(graph, {}, *lengths);
  ASSERT_TRUE(zero_values.has_value());
  ASSERT_TRUE(length_values.has_value());
  EXPECT_EQ(zero_values->find("indices")->load<std::int64_t>(0), 0);
  EXPECT_EQ(length_values->find("indices")->shape(), (tensor::Shape{16}));
  EXPECT_EQ(length_values->find("indices")->load<std::int64_t>(15), 16);
  EXPECT_GE(length_values->find("x")->load<float>(3), 0.5F);
}

TEST(OpenInputs, AreThoseWithASizeThatIsNotFixed) {
  const model::Model model = with_inputs("float[batch,sequence] x, float[2,batch,8] state, float[3] z");
  EXPECT_THAT(open_inputs(model.graph(), {}), ElementsAre("x", "state"));
  EXPECT_THAT(open_inputs(model.graph(), {{"x", {1, 512}}}), IsEmpty());
  EXPECT_THAT(open_inputs(model.graph(), {{"x", {1, -1}}}), ElementsAre("x"));
}

}  // namespace
}  // namespace assay::reduce

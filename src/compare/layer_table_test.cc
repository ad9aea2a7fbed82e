#include "compare/layer_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "compare/layer_report.h"
#include "model/load.h"

namespace assay::compare {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Tensor floats(const std::vector<float>& values) {
  return Tensor::of<float>(ElementType::float32, {static_cast<std::int64_t>(values.size())}, values);
}

class LayerTableTest : public testing::Test {
 protected:
  void add(const std::string& name, const Tensor& first, const Tensor& second, bool agrees) {
    table.add({0, "a", "b", name, first, second, agrees});
  }
  // Returns a tensor whose difference has this norm, relative to its values.
  void add(const std::string& name, float error, bool agrees) {
    add(name, floats({3 + 5 * error, 4}), floats({3, 4}), agrees);
  }
  // d depends on b through c, which isn't compared.
  model::Model model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] e) {
      a = Neg(x) [second] b = Exp(a) c = Abs(b) d = Relu(c) e = Add(a, d)
    })")
                           .value();
  LayerTable table;
};

TEST_F(LayerTableTest, LayersComeInGraphOrderWithTheErrorOfTheirInputs) {
  add("e", 0.25F, false);
  add("d", 0.5F, false);
  add("x", 0, true);
  add("a", 0, true);
  add("b", 0.5F, false);
  const auto pairs = table.layers(&model);
  ASSERT_EQ(pairs.size(), 1U);
  const auto& layers = pairs[0].layers;
  ASSERT_EQ(layers.size(), 5U);
  const auto names = [&] {
    std::vector<std::string> found;
    for (const ComparedLayer& layer : layers) found.push_back(layer.tensor);
    return found;
  }();
  EXPECT_THAT(names, ElementsAre("x", "a", "b", "d", "e"));
  EXPECT_EQ(layers[0].node, -1);
  EXPECT_EQ(layers[2].op_type, "Exp");
  EXPECT_EQ(layers[2].node, 1);
  EXPECT_NEAR(layers[2].errors.norm, 0.5, 1e-6);
  EXPECT_NEAR(layers[2].errors.absolute, 2.5, 1e-6);
  EXPECT_NEAR(layers[2].growth(), 0.5, 1e-6);
  EXPECT_TRUE(layers[2].is_birthplace());
  EXPECT_NEAR(layers[3].passed_on, 0.5, 1e-6) << "through the tensor that was not compared";
  EXPECT_FALSE(layers[3].is_birthplace());
  EXPECT_NEAR(layers[3].growth(), 0, 1e-6);
  EXPECT_NEAR(layers[4].passed_on, 0.5, 1e-6);
}

TEST_F(LayerTableTest, TheWorstOfAllIterationsIsKept) {
  add("a", 0.5F, false);
  add("a", 0.25F, true);
  const ComparedLayer layer = table.layers(&model)[0].layers[0];
  EXPECT_NEAR(layer.errors.norm, 0.5, 1e-6);
  EXPECT_FALSE(layer.errors.agrees);
}

TEST_F(LayerTableTest, NaNIsAnInfiniteError) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  add("a", floats({kNan, 1}), floats({0, 1}), false);
  add("b", floats({kNan, 1}), floats({kNan, 1}), true);
  add("d", floats({1}), floats({1, 2}), false);
  const auto layers = table.layers(&model)[0].layers;
  EXPECT_TRUE(std::isinf(layers[0].errors.norm));
  EXPECT_TRUE(layers[0].is_birthplace());
  EXPECT_TRUE(std::isinf(layers[2].errors.norm)) << "shapes differ";
}

// `simple` fails NaN, but nothing differs here, and the error isn't infinite.
TEST_F(LayerTableTest, NaNOnBothSidesIsNoError) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  add("a", floats({kNan, 1}), floats({kNan, 1}), false);
  add("b", floats({kNan, 3}), floats({kNan, 2}), false);
  const LayerPair pair = table.layers(&model)[0];
  EXPECT_EQ(pair.layers[0].errors.norm, 0);
  EXPECT_EQ(pair.layers[0].errors.nans, 1);
  EXPECT_TRUE(pair.layers[0].only_specials());
  EXPECT_FALSE(pair.layers[0].is_birthplace());
  EXPECT_NEAR(pair.layers[1].errors.norm, 0.5, 1e-6);
  EXPECT_TRUE(pair.layers[1].is_birthplace());
  const std::string text = describe_layers(pair, LayerRows::all, "");
  EXPECT_THAT(text, testing::HasSubstr("NaN on both sides, which passes with --nans-compare-equal"));
  EXPECT_THAT(text, testing::ContainsRegex("\na .* 0 .*NaN on both sides"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("inf")));
}

TEST_F(LayerTableTest, InfinityOnBothSidesIsNoError) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  add("a", floats({kInf, 1}), floats({kInf, 1}), false);
  add("b", floats({kInf, 1}), floats({-kInf, 1}), false);
  const LayerPair pair = table.layers(&model)[0];
  EXPECT_TRUE(pair.layers[0].only_specials());
  EXPECT_EQ(pair.layers[0].specials(), "infinity");
  EXPECT_FALSE(pair.layers[0].is_birthplace());
  EXPECT_FALSE(pair.layers[1].only_specials()) << "the signs differ";
  EXPECT_TRUE(pair.layers[1].is_birthplace());
  const std::string text = describe_layers(pair, LayerRows::all, "");
  EXPECT_THAT(text, testing::HasSubstr("infinity on both sides, which passes with --infinities-compare-equal"));
  EXPECT_THAT(text, testing::ContainsRegex("\na .* 0 .*infinity on both sides"));
}

TEST_F(LayerTableTest, AnErrorThatIsPassedOnWholeIsNotBornAgain) {
  add("a", floats({std::numeric_limits<float>::quiet_NaN()}), floats({0}), false);
  add("b", floats({std::numeric_limits<float>::quiet_NaN()}), floats({1}), false);
  const auto layers = table.layers(&model)[0].layers;
  EXPECT_EQ(layers[1].growth(), 0);
  EXPECT_FALSE(layers[1].is_birthplace());
  EXPECT_FALSE(layers[1].grew());
}

// The Sub is exact, but nearly equal values cancel in it, so its relative error is 900 times that of the wrong Add.
TEST_F(LayerTableTest, ANodeThatOnlyMakesAnErrorLargerIsNotItsBirthplace) {
  model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] b) { a = Add(x, x) b = Sub(a, x) })")
              .value();
  add("a", 0.001F, false);
  add("b", 0.9F, false);
  const LayerPair pair = table.layers(&model)[0];
  EXPECT_TRUE(pair.layers[0].is_birthplace());
  EXPECT_FALSE(pair.layers[1].is_birthplace());
  EXPECT_TRUE(pair.layers[1].grew());
  const std::string text = describe_layers(pair, LayerRows::born, "");
  EXPECT_LT(text.find("\na "), text.find("\nb ")) << "the wrong node comes first";
  EXPECT_THAT(text, testing::ContainsRegex("\nb .* grew here"));
}

TEST_F(LayerTableTest, TensorsThatWereNotComparedMayBeWrong) {
  add("a", 0, true);
  add("d", 0.5F, false);
  const auto layers = table.layers(&model)[0].layers;
  EXPECT_FALSE(layers[1].is_birthplace()) << "b or c may be wrong";
  EXPECT_TRUE(layers[1].grew());
}

TEST_F(LayerTableTest, ASliceWorseThanItsTensorIsNotABirthplace) {
  model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x, int64[1] i) => (float[1] b) { a = Neg(x) b = Gather(a, i) c = Exp(b) })")
              .value();
  add("a", floats({100, 2}), floats({100, 1}), false);
  add("b", floats({2}), floats({1}), false);
  add("c", floats({9}), floats({1}), false);
  auto layers = table.layers(&model)[0].layers;
  EXPECT_GT(layers[1].errors.norm, 10 * layers[1].passed_on);
  EXPECT_FALSE(layers[1].is_birthplace());
  EXPECT_FALSE(layers[1].grew());
  EXPECT_EQ(layers[1].growth(), 0);
  EXPECT_TRUE(layers[2].grew());
  add("b", floats({5}), floats({1}), false);
  layers = table.layers(&model)[0].layers;
  EXPECT_TRUE(layers[1].grew()) << "no element of the input has such a large error";
}

TEST_F(LayerTableTest, AnOutputAgreesIfAllComparisonsAgree) {
  data::IterationResult first{{}, {}, "a"};
  for (const char* name : {"a", "b", "d"}) first.outputs.set(name, floats({1, 2}));
  data::IterationResult second = first;
  second.runner = "b";
  second.outputs.set("b", floats({1, 3}));
  IterationJudgement judgement;
  judgement.by_function = {{{"a", {true}}, {"b", {true}}}, {{"a", {true}}, {"b", {false}}}};
  judgement.matches = match_outputs({"a", "b"}, {"a", "b"});
  table.add(0, first, second, judgement);
  const auto layers = table.layers(&model)[0].layers;
  ASSERT_EQ(layers.size(), 2U) << "d was not judged";
  EXPECT_TRUE(layers[0].errors.agrees);
  EXPECT_FALSE(layers[1].errors.agrees);
}

TEST_F(LayerTableTest, MeasuresOutputsThatTheComparisonHasAligned) {
  data::IterationResult first{{}, {}, "a"};
  first.outputs.set("a", Tensor::of<float>(ElementType::float32, {1, 2}, {1, 2}));
  data::IterationResult second{{}, {}, "b"};
  second.outputs.set("a", floats({1, 2}));
  ComparePlan plan{.functions = find_compare_functions({"simple"}).value(), .options = {}};
  base::SilentLog log;
  for (const bool check_shapes : {true, false}) {
    plan.options.check_shapes = check_shapes;
    LayerTable layers;
    layers.add(0, first, second, judge_outputs({"a", first.outputs}, {"b", second.outputs}, plan, log));
    const LayerErrors errors = layers.layers(nullptr)[0].layers.at(0).errors;
    EXPECT_EQ(errors.agrees, !check_shapes);
    EXPECT_EQ(errors.absolute, check_shapes ? std::numeric_limits<double>::infinity() : 0);
  }
}

TEST_F(LayerTableTest, ASummaryNamesTheFirstThatDiffers) {
  add("a", 0.0001F, true);
  add("b", 0.5F, false);
  add("d", 0.5F, false);
  add("e", 0.75F, false);
  const std::string text = describe_layers(table.layers(&model)[0], LayerRows::born, "assay debug locate");
  EXPECT_THAT(text,
              AllOf(HasSubstr("Layers of a and b | 3 of 4 differ"),
                    HasSubstr("The first is 'b', Exp 'second' (#1): error 0.5; grew there, its inputs have 0.0001"),
                    HasSubstr("Next: assay debug locate"), Not(HasSubstr("Neg"))));
  EXPECT_LT(text.find("\nb "), text.find("\ne "));
  EXPECT_LT(text.find("\ne "), text.find("\nd ")) << "the largest growth first";
  const std::string all = describe_layers(table.layers(&model)[0], LayerRows::all, "");
  EXPECT_LT(all.find("Neg"), all.find("\nd "));
  EXPECT_LT(all.find("\nd "), all.find("\ne "));
}

TEST_F(LayerTableTest, ALongNameIsShortenedBetweenItsCharacters) {
  std::string name;
  for (int i = 0; i < 30; ++i) name += "ä";
  LayerPair pair{"a", "b", {}};
  pair.layers.emplace_back().tensor = name;
  EXPECT_THAT(describe_layers(pair, LayerRows::all, ""), HasSubstr("\n" + name + "  ")) << "30 characters fit";
  pair.layers[0].tensor += name;
  EXPECT_THAT(describe_layers(pair, LayerRows::all, ""),
              HasSubstr("\n" + name.substr(0, 36) + "..." + name.substr(0, 38) + "  "));
}

TEST_F(LayerTableTest, ReportsTheLargestErrorIfAllAgree) {
  add("a", 0.0001F, true);
  add("b", 0, true);
  EXPECT_EQ(describe_layers(table.layers(&model)[0], LayerRows::born, "x"),
            "Layers of a and b | all 2 agree; the largest error is 0.0001 at 'a', Neg (#0)");
}

TEST_F(LayerTableTest, SaysOfASingleLayerThatItAgreesOrDiffers) {
  add("a", 0, true);
  EXPECT_EQ(describe_layers(table.layers(&model)[0], LayerRows::born, "x"), "Layers of a and b | the only one agrees");
  add("b", 0.5F, false);
  EXPECT_THAT(describe_layers(table.layers(&model)[0], LayerRows::none, ""), HasSubstr("| 1 of 2 differs\n"));
}

TEST_F(LayerTableTest, WithoutAModelLayersHaveNoNodes) {
  add("q", 0.5F, false);
  add("p", 0.5F, false);
  const auto layers = table.layers(nullptr)[0].layers;
  EXPECT_EQ(layers[0].tensor, "q");
  EXPECT_THAT(describe_layers(table.layers(nullptr)[0], LayerRows::none, ""),
              HasSubstr("The first is 'q', -: error 0.5"));
}

TEST_F(LayerTableTest, ProgramsGetJson) {
  add("a", 0, true);
  add("b", floats({std::numeric_limits<float>::infinity()}), floats({0}), false);
  std::string text;
  tensor::JsonWriter json([&](std::string_view piece) -> base::Status {
    text += piece;
    return {};
  });
  json.begin_object();
  write_layers(json, table.layers(&model));
  json.end_object();
  ASSERT_TRUE(json.finish());
  const auto parsed = nlohmann::json::parse(text);
  EXPECT_EQ(parsed["layers"][0]["first"], "a");
  const auto& tensors = parsed["layers"][0]["tensors"];
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors[0]["error"], 0.0);
  EXPECT_EQ(tensors[1]["tensor"], "b");
  EXPECT_EQ(tensors[1]["op_type"], "Exp");
  EXPECT_TRUE(tensors[1]["error"].is_null());
  EXPECT_EQ(tensors[1]["born_here"], true);
  EXPECT_EQ(tensors[1]["grew_here"], false);
}

}  // namespace
}  // namespace assay::compare

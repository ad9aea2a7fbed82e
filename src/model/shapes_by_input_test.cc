#include "model/shapes_by_input.h"

#include <gtest/gtest.h>
#include <onnx/defs/parser.h>

namespace assay::model {
namespace {

using Shapes = std::map<std::string, std::vector<int>>;

Model parse(const std::string& graph) {
  Model model;
  const auto parsed =
      onnx::OnnxParser::Parse(model.proto, (R"(<ir_version: 8, opset_import: ["" : 17]> )" + graph).c_str());
  EXPECT_TRUE(parsed.IsOK()) << parsed.ErrorMessage();
  return model;
}

constexpr const char* kModel = R"(g (float[n] token_a, float[n] token_b, seq(float[n]) s, float["x[0]"] odd)
    => (float[n] y) { y = Add(token_a, token_b) })";

TEST(ShapesByInput, WildcardsStandForInputsWithoutAShapeOfTheirOwn) {
  const Shapes given = {{"*_b", {2}}, {"token_?", {3}}, {"token_a", {4}}};
  EXPECT_EQ(shapes_by_input(parse(kModel), given, "--shapes").value(), Shapes({{"token_a", {4}}, {"token_b", {2}}}));
}

TEST(ShapesByInput, ErrorsListNoWeightsThatAreInputsToo) {
  const Model model = parse("g (float[2] w, float[n] x) => (float[n] y) <float[2] w = {1, 2}> { y = Add(x, w) }");
  EXPECT_EQ(find_inputs(model, "z", "--shapes").error().fix, "Its inputs are: x");
  EXPECT_EQ(find_inputs(model, "w", "--shapes").value(), std::vector<std::string>{"w"});
}

TEST(ShapesByInput, ANameThatNoTensorHasIsAnError) {
  for (const std::string name : {"token_c", "z*", "y", "s"}) {
    const auto shapes = shapes_by_input(parse(kModel), Shapes{{name, {1}}}, "--shapes");
    ASSERT_FALSE(shapes) << name;
    EXPECT_EQ(shapes.error().message(),
              "the model has no input tensor '" + name + "' (in --shapes). Its inputs are: token_a, token_b, odd");
  }
  const Model none = parse("g () => (float y) { y = RandomNormal <shape = [1]> () }");
  EXPECT_EQ(find_inputs(none, "x", "--shapes").error().fix, "It has none");
}

}  // namespace
}  // namespace assay::model

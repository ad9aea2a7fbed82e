// Against the reference evaluator of the onnx package: testdata/make_small_values.py.
#include "reduce/values/evaluate_small.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "model/load.h"
#include "tensor/convert.h"
#include "tests/support/paths.h"

namespace assay::reduce {
namespace {

using tensor::ElementType;

tensor::Tensor decode(const nlohmann::json& json) {
  const auto data = json["data"].get<std::vector<std::int64_t>>();
  const auto wide = tensor::Tensor::of<std::int64_t>(ElementType::int64, json["shape"].get<tensor::Shape>(), data);
  return tensor::cast(wide, tensor::parse_element_type(json["type"].get<std::string>()).value()).value();
}

onnx::NodeProto node(const std::string& text) {
  return model::parse_text(
             "<ir_version: 8, opset_import: [\"\" : 18]>\ng (int64[N] a, int64[N] b, int64[N] c) => "
             "(int64[N] y) { y = " +
             text + " }")
      .value()
      .graph()
      .node(0);
}

SmallInput vector(const std::vector<std::int64_t>& values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return {.value = tensor::Tensor::of<std::int64_t>(ElementType::int64, {size}, values), .shape = {}};
}

TEST(EvaluateSmall, ComputesWhatTheReferenceEvaluatorComputes) {
  std::ifstream file(assay::test::source_dir() / "src/reduce/testdata/small_values.json");
  const nlohmann::json cases = nlohmann::json::parse(file);
  std::set<std::string> operators;
  for (const nlohmann::json& row : cases) {
    const model::Model model = model::parse_text(row["model"].get<std::string>()).value();
    std::vector<SmallInput> inputs;
    for (const nlohmann::json& input : row["inputs"]) inputs.push_back({.value = decode(input), .shape = {}});
    const auto value = evaluate_small(model.graph().node(0), inputs);
    const tensor::Tensor expected = decode(row["output"]);
    ASSERT_TRUE(value.has_value()) << row["model"];
    EXPECT_TRUE(tensor::identical(*value, expected)) << row["model"] << ": " << value->describe();
    operators.insert(model.graph().node(0).op_type());
  }
  EXPECT_EQ(operators.size(), 33U);  // all of them
}

TEST(EvaluateSmall, NeedsOnlyTheShapeForSizes) {
  const std::vector<SmallInput> inputs = {{.value = {}, .shape = tensor::Shape{2, 3}}};
  EXPECT_EQ(evaluate_small(node("Shape(a)"), inputs)->load<std::int64_t>(1), 3);
  EXPECT_EQ(evaluate_small(node("Size(a)"), inputs)->load<std::int64_t>(0), 6);
  EXPECT_FALSE(evaluate_small(node("Identity(a)"), inputs).has_value());
}

TEST(EvaluateSmall, RoundsQuotientsTowardZero) {
  // As the standard says since opset 14; the reference evaluator rounds down.
  EXPECT_EQ(evaluate_small(node("Div(a, b)"), {vector({-7}), vector({2})})->load<std::int64_t>(0), -3);
}

TEST(EvaluateSmall, GivesNothingForWhatIsInvalid) {
  EXPECT_FALSE(evaluate_small(node("Div(a, b)"), {vector({1}), vector({0})}).has_value());
  EXPECT_FALSE(evaluate_small(node("Gather(a, b)"), {vector({1}), vector({1})}).has_value());
  EXPECT_FALSE(evaluate_small(node("Gather <axis = 1> (a, b)"), {vector({1}), vector({0})}).has_value());
  EXPECT_FALSE(evaluate_small(node("Add(a, b)"), {vector({1, 2}), vector({1, 2, 3})}).has_value());
  EXPECT_FALSE(evaluate_small(node("Reshape(a, b)"), {vector({1, 2}), vector({3})}).has_value());
  EXPECT_FALSE(evaluate_small(node("Squeeze(a, b)"), {vector({1, 2}), vector({0})}).has_value());
  EXPECT_FALSE(evaluate_small(node("Unsqueeze(a, b)"), {vector({1, 2}), vector({5})}).has_value());
  EXPECT_FALSE(evaluate_small(node("Add(a, b)"), {vector({1})}).has_value());
  EXPECT_FALSE(evaluate_small(node("Relu(a)"), {vector({1})}).has_value());
  EXPECT_FALSE(evaluate_small(node("Range(a, b, c)"), {vector({0}), vector({1000000}), vector({1})}).has_value());
  EXPECT_FALSE(evaluate_small(node("ConstantOfShape <value = int64[1] {1}> (a)"), {vector({1000000})}).has_value());
  EXPECT_FALSE(evaluate_small(node("Expand(a, b)"), {vector({1}), vector({1000, 1000})}).has_value());
}

TEST(EvaluateSmall, LeavesFloatsAndLargeTensorsAlone) {
  const SmallInput real{.value = tensor::Tensor::of<float>(ElementType::float32, {1}, {2}), .shape = {}};
  EXPECT_FALSE(evaluate_small(node("Neg(a)"), {real}).has_value());
  EXPECT_FALSE(evaluate_small(node("Cast <to = 1> (a)"), {vector({1})}).has_value());
  EXPECT_FALSE(evaluate_small(node("Neg(a)"), {vector(std::vector<std::int64_t>(kSmallElements + 1))}).has_value());
}

}  // namespace
}  // namespace assay::reduce

#include "model/inference/symbolic_shapes.h"

#include <gtest/gtest.h>

#include "model/load.h"

namespace assay::model {
namespace {

using Shapes = std::map<std::string, std::vector<std::int64_t>>;

// Returns the shapes of the inputs of a model, with these types as inputs: "float[N, 2] x, float[N] y".
Shapes shapes(const std::string& inputs, const Shapes& given = {}) {
  const auto model =
      parse_text("<ir_version: 8, opset_import: [\"\" : 17]> g (" + inputs + ") => (float y) { y = Abs(x) }");
  EXPECT_TRUE(model) << model.error().message();
  std::map<std::string, std::vector<Dimension>> asked;
  for (const auto& [name, shape] : given) {
    for (const std::int64_t size : shape) asked[name].push_back({.value = size, .symbol = {}});
  }
  Shapes result;
  for (const auto& [name, shape] : shapes_by_names(model->graph(), asked)) {
    for (const Dimension& size : shape) result[name].push_back(size.value);
  }
  return result;
}

onnx::GraphProto graph_with(const std::string& symbol) {
  auto model =
      parse_text("<ir_version: 8, opset_import: [\"\" : 17]> g (float[S] x, float[a] p) => (float y) { y = Abs(x) }");
  model->graph()
      .mutable_input(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(0)
      ->set_dim_param(symbol);
  return model->graph();
}

std::int64_t size_of(const std::string& symbol, std::int64_t a) {
  const auto found = shapes_by_names(graph_with(symbol), {{"p", {{.value = a, .symbol = {}}}}});
  const auto x = found.find("x");
  return x == found.end() ? 1 : x->second.at(0).value;
}

TEST(SymbolicShapes, EqualNamesHaveEqualSizes) {
  const char* inputs =
      "int64[batch, sequence] x, int64[batch, sequence] mask, float[batch, 4, past] cache, float[?] other";
  EXPECT_EQ(shapes(inputs), Shapes());
  EXPECT_EQ(shapes(inputs, {{"x", {2, 7}}}), (Shapes{{"x", {2, 7}}, {"mask", {2, 7}}, {"cache", {2, 4, 1}}}));
  EXPECT_EQ(shapes(inputs, {{"x", {2, 7}}, {"mask", {3, 7}}}),
            (Shapes{{"x", {2, 7}}, {"mask", {3, 7}}, {"cache", {2, 4, 1}}}));
  EXPECT_EQ(shapes(inputs, {{"x", {2}}}), (Shapes{{"x", {2}}})) << "a shape of another rank says nothing about names";
}

TEST(SymbolicShapes, WildcardsGiveShapesBeforeNamesDo) {
  EXPECT_EQ(shapes("float[batch, 3] a, float[batch, seq] b_1, float[seq] c", {{"a", {4, 3}}, {"b_*", {4, 7}}}),
            (Shapes{{"a", {4, 3}}, {"b_*", {4, 7}}, {"b_1", {4, 7}}, {"c", {7}}}));
}

TEST(SymbolicShapes, SumsAndProductsOfNamesAreComputed) {
  EXPECT_EQ(size_of("a", 5), 5);
  EXPECT_EQ(size_of("a + 1", 5), 6);
  EXPECT_EQ(size_of("a+b", 5), 6) << "an unknown name is 1";
  EXPECT_EQ(size_of("2*a - 3", 5), 7);
  EXPECT_EQ(size_of("2 * (a + 1)", 5), 12);
  EXPECT_EQ(size_of("b + 1", 5), 2);
}

TEST(SymbolicShapes, OtherNamesAreOne) {
  for (const char* symbol : {"floor(a/2)", "a +", "(a", "a b", "1 - a", "", "a * 9223372036854775807", "é"}) {
    EXPECT_EQ(size_of(symbol, 5), 1) << symbol;
  }
  EXPECT_EQ(size_of(std::string(1000, '('), 5), 1);
}

}  // namespace
}  // namespace assay::model

#include "surgeon/graph/quantized_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Two products, each with an activation behind it.
constexpr auto kFloats = R"(g (float[1,2] x) => (float[1,2] y) <float[2,2] v = {1,2,3,4}, float[2,2] w = {5,6,7,8}> {
  a = MatMul(x, v)  b = Relu(a)  [second] c = MatMul(b, w)  y = Tanh(c) })";

// The same model after ONNX Runtime's quantizer: the zero point replaces Relu, and y is quantized, too.
constexpr auto kQuantized = R"(g (float[1,2] x) => (float[1,2] y)
  <float s = {0.1}, int8[2,2] v_q = {1,2,3,4}, int8[2,2] w_q = {5,6,7,8}> {
  xq = QuantizeLinear(x, s)  xd = DequantizeLinear(xq, s)  vd = DequantizeLinear(v_q, s)
  b = MatMul(xd, vd)
  bq = QuantizeLinear(b, s)  bd = DequantizeLinear(bq, s)  wd = DequantizeLinear(w_q, s)
  [second] c = MatMul(bd, wd)
  yi = Tanh(c)  yq = QuantizeLinear(yi, s)  y = DequantizeLinear(yq, s) })";

TEST(QuantizedParts, AreNodesUpToTensorsThatBothModelsHave) {
  const std::vector<QuantizedPart> parts = find_quantized_parts(parse(kFloats), parse(kQuantized));
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_THAT(parts[0].nodes, ElementsAre(0, 1)) << "the quantized model has no tensor between MatMul and Relu";
  EXPECT_THAT(parts[0].outputs, ElementsAre("b"));
  EXPECT_THAT(parts[1].nodes, ElementsAre(2));
  EXPECT_THAT(parts[2].nodes, ElementsAre(3)) << "y is rounded";
}

TEST(QuantizedParts, DoNotDependOnTheOperatorThatReplacesANode) {
  const model::Model floats = parse(kFloats);
  const model::Model quantized = parse(R"(g (float[1,2] x) => (float[1,2] y)
    <int8[2,2] v_q = {1,2,3,4}, float s = {0.1}, float[2,2] w = {5,6,7,8}> {
    q, qs, qz = DynamicQuantizeLinear(x)  i = MatMulInteger(q, v_q, qz)  f = Cast <to = 1> (i)  t = Mul(qs, s)
    a = Mul(f, t)  b = Relu(a)  [second] c = MatMul(b, w)  y = Tanh(c) })");
  const std::vector<QuantizedPart> parts = find_quantized_parts(floats, quantized);
  ASSERT_EQ(parts.size(), 1U) << "the other nodes are the same";
  EXPECT_THAT(parts[0].nodes, ElementsAre(0));
}

TEST(QuantizedParts, AreNodesWhoseWeightsAreOthersUnderTheSameName) {
  const model::Model floats = parse(kFloats);
  const model::Model dequantized = parse(R"(g (float[1,2] x) => (float[1,2] y)
    <float s = {0.1}, int8[2,2] v_q = {1,2,3,4}, float[2,2] w = {5,6,7,8}> {
    v = DequantizeLinear(v_q, s)  a = MatMul(x, v)  b = Relu(a)  [second] c = MatMul(b, w)  y = Tanh(c) })");
  const model::Model rounded = parse(R"(g (float[1,2] x) => (float[1,2] y)
    <float[2,2] v = {1,2,3,4}, float[2,2] w = {5,6,7,7.5}> {
    a = MatMul(x, v)  b = Relu(a)  [second] c = MatMul(b, w)  y = Tanh(c) })");
  std::vector<QuantizedPart> parts = find_quantized_parts(floats, dequantized);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_THAT(parts[0].nodes, ElementsAre(0));
  parts = find_quantized_parts(floats, rounded);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_THAT(parts[0].nodes, ElementsAre(2));
}

// Quantizers leave value infos without a type, and some name a quantized tensor like the float one.
TEST(QuantizedParts, AreLeftOutIfATensorHasAnotherType) {
  const model::Model floats = parse("g (float[2] x) => (float[2] y) { a = Abs(x)  b = Neg(a)  y = Relu(b) }");
  model::Model quantized = parse(R"(g (float[2] x) => (float[2] y) <float s = {0.1}> {
    a = QuantizeLinear(x, s)  b = DequantizeLinear(a, s)  y = Relu(b) })");
  EXPECT_THAT(find_quantized_parts(floats, quantized), IsEmpty()) << "'a' is uint8, so 'b' can't be computed from it";
  quantized = parse(R"(g (float[2] x) => (float[2] y) <float s = {0.1}> {
    a = Abs(x)  q = QuantizeLinear(a, s)  b = DequantizeLinear(q, s)  y = Relu(b) })");
  quantized.graph().add_value_info()->set_name("a");
  EXPECT_EQ(find_quantized_parts(floats, quantized).size(), 1U);
}

TEST(QuantizedParts, AreLeftOutIfAnotherVersionOfTheOperatorRefusesThem) {
  const model::Model floats =
      edit::test::parse("g (float[4] x) => (float[2] y) { y = Slice <starts = [0], ends = [2]> (x) }",
                        "ir_version: 8, opset_import: [\"\" : 9]");
  const model::Model quantized = parse(R"(g (float[4] x) => (float[2] y) <int64[1] a = {0}, int64[1] b = {2}> {
    y = Slice(x, a, b) })");
  EXPECT_THAT(find_quantized_parts(floats, quantized), IsEmpty());
}

}  // namespace
}  // namespace assay::surgeon

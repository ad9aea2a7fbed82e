#include "reduce/passes/node_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

TEST(DefaultAttributes, ThoseThatAreNotRequiredGo) {
  test::expect_each(
      default_attributes,
      "g (float[2] x) => (float[2] y) { a = HardSigmoid <alpha = 0.5, beta = 0.1> (x)  y = Cast <to = 1> (a) }",
      {"g (float[2] x) => (float[2] y) { a = HardSigmoid <beta = 0.1> (x)  y = Cast <to = 1> (a) }",
       "g (float[2] x) => (float[2] y) { a = HardSigmoid <alpha = 0.5> (x)  y = Cast <to = 1> (a) }"});
}

TEST(DefaultAttributes, NotIfTheOutputsTypeOrShapeWouldChange) {
  test::expect_nothing(default_attributes,
                       R"(g (float[2,2,3] x) => (float[2,3,2] y, int64[2] z) <int64[1] s = {2}> {
      a = Transpose <perm = [0,2,1]> (x)  y = Abs(a)  z = ConstantOfShape <value = int64[1] {7}> (s) })");
}

TEST(DefaultAttributes, NotIfTheShapeIsUnknownUnlessTheOperatorKeepsIt) {
  test::expect_all(default_attributes,
                   R"(g (float[N] x, int64[K] s) => (int64[R] y) {
                      a = Reshape(x, s)  b = Transpose <perm = [1,0]> (a)  c = Softmax <axis = 0> (b)  y = Shape(c) })",
                   R"(g (float[N] x, int64[K] s) => (int64[R] y) {
                      a = Reshape(x, s)  b = Transpose <perm = [1,0]> (a)  c = Softmax(b)  y = Shape(c) })");
}

TEST(DefaultAttributes, AnOutputOfTheModelMayHaveOtherSizes) {
  test::expect_all(default_attributes,
                   R"(g (float[1,1,9,9] x, float[1,1,3,3] w) => (float[1,1,5,5] y) {
                      y = Conv <pads = [1,1,1,1], strides = [2,2], group = 1> (x, w) })",
                   "g (float[1,1,9,9] x, float[1,1,3,3] w) => (float[?,?,?,?] y) { y = Conv(x, w) }");
}

// ONNX Runtime and OpenVINO refuse an LSTM without its size, which has no default.
TEST(DefaultAttributes, NotThoseThatEnginesNeed) {
  test::expect_all(default_attributes,
                   R"(g (float[2,1,4] x, float[1,12,4] w, float[1,12,3] r) => (float[2,1,1,3] y) {
                      y = LSTM <hidden_size = 3, layout = 0> (x, w, r) })",
                   R"(g (float[2,1,4] x, float[1,12,4] w, float[1,12,3] r) => (float[2,1,1,3] y) {
                      y = LSTM <hidden_size = 3> (x, w, r) })");
  const model::Model model = test::parse(
      R"(g (int64[2] x) => (string[2] y) {
         y = ai.onnx.ml.LabelEncoder <keys_int64s = [1, 2], values_strings = ["a", "b"]> (x) })",
      R"(ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 4])");
  EXPECT_TRUE(test::propose(default_attributes, model).empty());
}

TEST(DefaultAttributes, InBodiesTooButNotTheBodies) {
  test::expect_all(default_attributes, R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { t = Elu <alpha = 2.0> (x) },
                  else_branch = e () => (float[2] e) { e = Abs(x) }> })",
                   R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { t = Elu(x) },
                  else_branch = e () => (float[2] e) { e = Abs(x) }> })");
}

TEST(DefaultAttributes, NotOfConstantsAndFunctionsAndUnknownOperators) {
  const model::Model model = test::parse(
      R"(g (float[2] x) => (float[2] y) { c = Constant <value_floats = [1.0, 2.0]> ()  a = l.f <alpha = 2.0> (x)
         b = m.Op <k = 1> (a)  y = Add(b, c) }
         <opset_import: ["" : 17], domain: "l"> f <alpha> (x) => (y) { y = Elu <alpha : float = @alpha> (x) })",
      R"(ir_version: 8, opset_import: ["" : 17, "l" : 1, "m" : 1])");
  EXPECT_TRUE(test::propose(default_attributes, model).empty());
}

}  // namespace
}  // namespace assay::reduce

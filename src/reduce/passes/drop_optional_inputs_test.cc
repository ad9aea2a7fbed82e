#include "reduce/passes/node_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

TEST(DropOptionalInputs, EachAndAll) {
  const std::string before = "g (float[2] x) => (float[2] y) <float l = {0}, float m = {1}> { y = Clip(x, l, m) }";
  test::expect_each(drop_optional_inputs, before,
                    {"g (float[2] x) => (float[2] y) <float l = {0}> { y = Clip(x, l) }",
                     "g (float[2] x) => (float[2] y) <float m = {1}> { y = Clip(x, , m) }"});
  test::expect_all(drop_optional_inputs, before, "g (float[2] x) => (float[2] y) { y = Clip(x) }");
}

TEST(DropOptionalInputs, TheRestOfAnyNumberIfTheShapeStays) {
  test::expect_all(drop_optional_inputs,
                   R"(g (float[2] x, float[2] v, float[3,2] w, float[2] z) => (float[3,2] y) {
                      y = Sum(x, v, w, z) })",
                   "g (float[2] x, float[3,2] w) => (float[3,2] y) { y = Sum(x, w) }");
}

TEST(DropOptionalInputs, NotIfTheOutputsShapeWouldChange) {
  test::expect_nothing(drop_optional_inputs,
                       R"(g (float[1,2,3] x) => (float[1,6,1] y) <int64[1] axes = {2}> { y = ReduceSum(x, axes) })");
}

TEST(DropOptionalInputs, ALoopKeepsWhatEndsIt) {
  test::expect_nothing(drop_optional_inputs, R"(g (float[2] x) => (float[2] y) <int64 n = {3}, bool c = {1}> {
      y = Loop (n, c, x) <body = b (int64 i, bool ci, float[2] a) => (bool co, float[2] r) {
        co = Identity(ci)  r = Abs(a) }> })");
}

}  // namespace
}  // namespace assay::reduce

#include "reduce/passes/node_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

TEST(RemoveNodes, EachByItself) {
  test::expect_each(
      remove_nodes, "g (float[2] x) => (float[2] y) { a = Abs(x)  y = Relu(a) }",
      {"g (float[2] a) => (float[2] y) { y = Relu(a) }", "g (float[2] x) => (float[2] a) { a = Abs(x) }"});
}

TEST(RemoveNodes, NotTheLastOne) {
  test::expect_nothing(remove_nodes, "g (float[2] x) => (float[2] y) { y = Relu(x) }");
}

TEST(RemoveNodes, AConstantLeavesItsValue) {
  test::expect_each(remove_nodes,
                    R"(g (float[2] x) => (float[2] y, float[2] z) {
                       c = Constant <value = float[2] {1,2}> ()  y = Add(x, c)  z = Neg(x) })",
                    {"g (float[2] x) => (float[2] y, float[2] z) <float[2] c = {1,2}> { y = Add(x, c)  z = Neg(x) }",
                     "g (float[2] x) => (float[2] z) { z = Neg(x) }",
                     R"(g (float[2] x) => (float[2] y) {
                       c = Constant <value = float[2] {1,2}> ()  y = Add(x, c) })"});
}

}  // namespace
}  // namespace assay::reduce

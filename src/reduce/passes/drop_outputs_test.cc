#include "reduce/passes/node_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

TEST(DropOutputs, EachGoesWithTheNodesThatOnlyItNeeded) {
  test::expect_each(drop_outputs,
                    R"(g (float[2] x, float[2] v) => (float[2] y, float[2] z) { a = Abs(x)  b = Neg(v)  c = Add(a, b)
                       z = Exp(c)  y = Relu(a) })",
                    {"g (float[2] x, float[2] v) => (float[2] z) { a = Abs(x)  b = Neg(v)  c = Add(a, b)  z = Exp(c) }",
                     "g (float[2] x) => (float[2] y) { a = Abs(x)  y = Relu(a) }"});
}

TEST(DropOutputs, TheLastOneStays) {
  test::expect_nothing(drop_outputs, "g (float[2] x) => (float[2] y) { y = Abs(x) }");
}

}  // namespace
}  // namespace assay::reduce

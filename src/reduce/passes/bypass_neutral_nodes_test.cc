#include "reduce/passes/node_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

TEST(BypassNeutralNodes, TakesAllThatGiveOnWhatTheyRead) {
  test::expect_all(bypass_neutral_nodes,
                   R"(g (float[2,3] x) => (float[2,3] y) <int64[2] s = {2, 3}> {
                      a = Identity(x)  b = Dropout(a)  c = Cast <to = 1> (b)  d = Reshape(c, s)
                      e = Transpose <perm = [0, 1]> (d)  f = Sum(e)  y = Relu(f) })",
                   "g (float[2,3] x) => (float[2,3] y) { y = Relu(x) }");
}

TEST(BypassNeutralNodes, LeavesAloneWhatComputesOrChangesTheType) {
  test::expect_nothing(bypass_neutral_nodes, R"(g (float[2,3] x) => (double[3,2] y) {
                       a = Relu(x)  b = Sum(a, x)  c = Cast <to = 11> (b)  y = Transpose(c) })");
}

TEST(BypassNeutralNodes, LooksIntoBodies) {
  test::expect_all(bypass_neutral_nodes,
                   R"(g (float[2] x, bool c) => (float[2] y) { y = If (c) <
                      then_branch = t () => (float[2] b) { a = Identity(x)  b = Relu(a) },
                      else_branch = e () => (float[2] e) { e = Exp(x) }> })",
                   R"(g (float[2] x, bool c) => (float[2] y) { y = If (c) <
                      then_branch = t () => (float[2] b) { b = Relu(x) },
                      else_branch = e () => (float[2] e) { e = Exp(x) }> })");
}

}  // namespace
}  // namespace assay::reduce

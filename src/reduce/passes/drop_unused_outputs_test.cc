#include "reduce/passes/node_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

TEST(DropUnusedOutputs, OptionalOnesThatNothingReads) {
  test::expect_all(drop_unused_outputs,
                   "g (float[1,1,4] x) => (float[1,1,2] y) { y, i = MaxPool <kernel_shape = [3]> (x) }",
                   "g (float[1,1,4] x) => (float[1,1,2] y) { y = MaxPool <kernel_shape = [3]> (x) }");
}

TEST(DropUnusedOutputs, ThoseBeforeOneInUseAreLeftEmpty) {
  const std::string inputs = "(float[1,1,2] x, float[1,4,2] w, float[1,4,1] r)";
  test::expect_all(drop_unused_outputs,
                   "g " + inputs + " => (float[1,1,1] c) { y, h, c = LSTM <hidden_size = 1> (x, w, r) }",
                   "g " + inputs + " => (float[1,1,1] c) { , , c = LSTM <hidden_size = 1> (x, w, r) }");
}

TEST(DropUnusedOutputs, NotThoseThatTheOperatorMustGive) {
  test::expect_nothing(drop_unused_outputs, "g (float[4] x) => (float[2] y) { y, z = Split(x) }");
  test::expect_nothing(drop_unused_outputs, R"(g (float[4] x) => (float[1] y) <int64[1] k = {1}> {
      y, i = TopK(x, k) })");
}

TEST(DropUnusedOutputs, NotOfANodeThatNothingReads) {
  test::expect_nothing(drop_unused_outputs, "g (float[2] x) => (float[2] y) { a, m = Dropout(x)  y = Relu(x) }");
}

}  // namespace
}  // namespace assay::reduce

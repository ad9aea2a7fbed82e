#include <gmock/gmock.h>

#include "reduce/passes/bodies/body_test_support.h"
#include "reduce/passes/dimensions/dimension_passes.h"

namespace assay::reduce {
namespace {

using test::expect_change;
using test::expect_nothing;
using test::parse;
using test::proposed;

TEST(ShrinkInputs, ShrinksWhatWindowsSlideOver) {
  const std::string before = "g (float[1,1,8,16] x) => (float[1,1,7,15] y) { y = MaxPool <kernel_shape = [2,2]> (x) }";
  EXPECT_THAT(proposed(shrink_inputs, before),
              testing::Contains("size 3 of 'x' reduced from 16 to 8, and sizes that follow left open"));
  const std::vector<edit::ModelChange> changes = test::propose(shrink_inputs, parse(before));
  const model::Model applied = test::apply_all(parse(before), changes);
  EXPECT_EQ(applied.graph().output(0).type().tensor_type().shape().dim_size(), 4);
  EXPECT_FALSE(applied.graph().output(0).type().tensor_type().shape().dim(2).has_dim_value());
  for (const int axis : {2, 3}) {
    EXPECT_EQ(applied.graph().input(0).type().tensor_type().shape().dim(axis).dim_value(), 2) << "that of the window";
  }
}

TEST(ShrinkInputs, ShrinksInputsThatHaveToBeEqualTogether) {
  expect_change(
      shrink_inputs,
      "g (float[1,1,4,1] a, float[1,1,4,1] b) => (float y) { s = Add(a, b) p = GlobalMaxPool(s) y = Squeeze(p) }", 0,
      "g (float[1,1,1,1] a, float[1,1,1,1] b) => (float y) { s = Add(a, b) p = GlobalMaxPool(s) y = Squeeze(p) }");
}

// The matrix has to be square, and a Reshape keeps the number of elements.
TEST(ShrinkInputs, LeavesOutWhatCannotBeRight) {
  expect_nothing(shrink_inputs, "g (float[5,2] x) => (float[10] y) <int64[1] s = {10}> { y = Reshape(x, s) }");
  expect_nothing(shrink_inputs, "g (float[4,4] x) => (float y) { y = Det(x) }");
}

// Only ONNX's own operator is known to have an input.
TEST(ShrinkInputs, TakesAnOperatorOfThatNameForAnotherOne) {
  const model::Model model = parse("g (float[4,6] x) => (float[4,6] y) { y = custom.Twice (x) z = custom.Reshape () }",
                                   R"(ir_version: 8, opset_import: ["" : 17, "custom" : 1])");
  EXPECT_THAT(test::propose(shrink_inputs, model), testing::Not(testing::IsEmpty()));
}

TEST(ShrinkInputs, LeavesOutWhatTheRulesCover) {
  expect_nothing(shrink_inputs, "g (float[5,2] x) => (float[5,2] y) { y = Relu(x) }");
}

}  // namespace
}  // namespace assay::reduce

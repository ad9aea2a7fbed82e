#include "reduce/passes/node_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

TEST(DropUnreadInputs, InputsAndWeights) {
  test::expect_all(drop_unread_inputs,
                   R"(g (float[2] x, float[2] v, float[1] k) => (float[2] y)
                      <float[1] k = {1}, float[1] w = {2}, float[2] b = {3,4}> { y = Add(x, b) })",
                   "g (float[2] x) => (float[2] y) <float[2] b = {3,4}> { y = Add(x, b) }");
}

TEST(DropUnreadInputs, AWeightNeedNotBeAnInput) {
  const std::string before = "g (float[2] x, float[2] b) => (float[2] y) <float[2] b = {3,4}> { y = Add(x, b) }";
  test::expect_all(drop_unread_inputs, before, "g (float[2] x) => (float[2] y) <float[2] b = {3,4}> { y = Add(x, b) }");
  EXPECT_TRUE(test::propose(drop_unread_inputs, test::parse(before, "ir_version: 3, opset_import: [\"\" : 7]")).empty())
      << "before version 4 it has to be";
}

TEST(DropUnreadInputs, WhatABodyReadsIsRead) {
  test::expect_nothing(drop_unread_inputs, R"(g (float[2] x, float[2] v, bool c) => (float[2] y) <float[2] w = {1,2}> {
      y = If (c) <then_branch = t () => (float[2] t) { t = Add(v, w) },
                  else_branch = e () => (float[2] e) { e = Abs(x) }> })");
}

}  // namespace
}  // namespace assay::reduce

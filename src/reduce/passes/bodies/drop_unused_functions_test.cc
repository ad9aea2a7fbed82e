#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

const std::string kHeader = R"(ir_version: 8, opset_import: ["" : 17, "own" : 1])";
const std::string kFunction = R"(<domain: "own", opset_import: ["" : 17]> f (u) => (v) { v = Abs(u) })";

TEST(DropUnusedFunctions, WhatNothingCallsGoes) {
  test::expect_all(drop_unused_functions,
                   test::parse("g (float[2] x) => (float[2] y) { y = Neg(x) }" + kFunction, kHeader),
                   test::parse("g (float[2] x) => (float[2] y) { y = Neg(x) }", kHeader));
}

TEST(DropUnusedFunctions, WhatABodyCallsStays) {
  const model::Model model = test::parse(R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { t = own.f (x) },
                  else_branch = e () => (float[2] e) { e = Exp(x) }> })" +
                                             kFunction,
                                         kHeader);
  EXPECT_TRUE(test::propose(drop_unused_functions, model).empty());
}

}  // namespace
}  // namespace assay::reduce

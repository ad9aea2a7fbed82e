#include "reduce/passes/node_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

std::string header(int version, const std::string& more = "") {
  return "ir_version: 8, opset_import: [\"\" : " + std::to_string(version) + more + "]";
}

TEST(LowerOpsets, TheNewestOperatorDecides) {
  // Abs is of 13, Relu of 14, in the changelog of ONNX's operators.
  const std::string graph = "g (float[2] x) => (float[2] y) { a = Abs(x) y = Relu(a) }";
  test::expect_all(lower_opsets, test::parse(graph, header(17)), test::parse(graph, header(14)));
  EXPECT_TRUE(test::propose(lower_opsets, test::parse(graph, header(14))).empty());
}

TEST(LowerOpsets, OperatorsOfBodiesCount) {
  const std::string graph = R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { t = Relu(x) }, else_branch = e () => (float[2] e) { e = Abs(x) }>
    })";
  test::expect_all(lower_opsets, test::parse(graph, header(18)), test::parse(graph, header(16)));  // If is of 16
}

TEST(LowerOpsets, NothingIsSaidOfWhatOnnxDoesNotKnow) {
  EXPECT_TRUE(test::propose(lower_opsets, test::parse("g (float[2] x) => (float[2] y) { y = Unheard(x) }", header(17)))
                  .empty());
}

TEST(LowerOpsets, WhatFunctionsImportStays) {
  for (const std::string domain : {"", "ai.onnx"}) {
    const std::string text =
        "g (float[2] x) => (float[2] y) { a = own.f(x) y = Relu(a) } <domain: \"own\", opset_import: [\"" + domain +
        "\" : 17]> f (u) => (v) { v = Abs(u) }";
    EXPECT_TRUE(test::propose(lower_opsets, test::parse(text, header(17, ", \"own\" : 1"))).empty()) << domain;
  }
}

}  // namespace
}  // namespace assay::reduce

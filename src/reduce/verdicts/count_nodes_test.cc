#include "reduce/verdicts/count_nodes.h"

#include <gtest/gtest.h>
#include <onnx/defs/parser.h>

namespace assay::reduce {
namespace {

model::Model parse(const char* text) {
  model::Model model;
  EXPECT_TRUE(onnx::OnnxParser::Parse(model.proto, text).IsOK());
  return model;
}

// A Constant is a value in every graph, unless it produces an output of its graph.
TEST(CountNodes, TakesConstantsForValues) {
  const model::Model model = parse(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
    g (float[2] x, bool c) => (float[2] y, float[1] k) {
      one = Constant <value = float[1] {1}> ()
      k = Constant <value = float[1] {2}> ()
      a = Add (x, one)
      b = If (c) <
        then_branch = t () => (float[2] p) { two = Constant <value = float[1] {2}> () p = Mul (a, two) },
        else_branch = e () => (float[2] q) { q = Constant <value = float[2] {3, 4}> () }>
      y = f.call (b)
    }
    <domain: "f", opset_import: ["" : 17]> call (u) => (v) { w = Constant <value = float[1] {1}> () v = Sub (u, w) })");
  // k, Add, If, Mul, the Constant of the branch, call, Sub
  EXPECT_EQ(count_all_nodes(model), 7);
  EXPECT_EQ(count_all_nodes(model, Constants::as_nodes), 10);
  EXPECT_EQ(describe_constants(model), "Its 3 Constant nodes count as values, not as nodes");
}

TEST(CountNodes, SaysNothingOfConstantsIfThereAreNone) {
  EXPECT_EQ(describe_constants(parse(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = Neg (x) })")),
            "");
}

}  // namespace
}  // namespace assay::reduce

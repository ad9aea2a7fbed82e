#include "reduce/candidates/count_nodes.h"

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

// Each function calls the next one twice.
TEST(CountNodes, BoundsTheSumOverTheBodiesOfANode) {
  constexpr int kFunctions = 62;
  model::Model model;
  const auto call = [](onnx::NodeProto& node, int function) {
    node.set_op_type("f" + std::to_string(function));
    node.set_domain("f");
  };
  for (int i = 0; i < kFunctions; ++i) {
    onnx::FunctionProto& function = *model.proto.add_functions();
    function.set_domain("f");
    function.set_name("f" + std::to_string(i));
    for (int calls = 0; calls < 2; ++calls) call(*function.add_node(), i + 1);
  }
  onnx::NodeProto& node = *model.graph().add_node();
  for (int bodies = 0; bodies < 5; ++bodies) call(*node.add_attribute()->mutable_g()->add_node(), 0);
  EXPECT_GT(count_all_nodes(model), std::int64_t{1} << 60);
}

}  // namespace
}  // namespace assay::reduce

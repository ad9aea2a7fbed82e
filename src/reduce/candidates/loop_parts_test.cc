#include "reduce/candidates/loop_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "edit/model_texts.h"

namespace assay::reduce {
namespace {

using edit::test::parse;
using testing::ElementsAre;

onnx::NodeProto loop() {
  return parse(R"(g (int64 n, bool c, float[2] a, float[2] b) => (float[2] x, float[2] y, float[?,2] z) {
      x, y, z = Loop (n, c, a, b) <body = l (int64 i, bool go, float[2] s, float[2] t) =>
          (bool go, float[2] t, float[2] s, float[2] u) { u = Add(s, t) }> })")
      .graph()
      .node(0);
}

onnx::NodeProto scan() {
  return parse(R"(g (float[2] h, float[3,2] p, float[2,3] q) => (float[2] y, float[?,2] z) {
      y, z = Scan <num_scan_inputs = 2, scan_input_axes = [0, 1], scan_input_directions = [1],
                   body = b (float[2] s, float[2] v, float[2] w) => (float[2] t, float[2] u) {
                     t = Add(s, v)  u = Mul(t, w) }> (h, p, q) })")
      .graph()
      .node(0);
}

onnx::NodeProto without_output(onnx::NodeProto node) {
  node.mutable_output()->RemoveLast();
  return node;
}

TEST(LoopParts, ALoopHasStatesAfterTheNumberAndTheCondition) {
  const onnx::NodeProto node = loop();
  const auto parts = read_loop(node);
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->body->name(), "l");
  EXPECT_EQ(parts->states, 2);
  EXPECT_FALSE(read_scan(node).has_value());
}

TEST(LoopParts, AScanHasStatesThenScannedInputs) {
  const onnx::NodeProto node = scan();
  const auto parts = read_scan(node);
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->body->name(), "b");
  EXPECT_EQ(parts->states, 1);
  EXPECT_THAT(parts->input_axes, ElementsAre(0, 1));
  EXPECT_THAT(parts->input_backward, ElementsAre(1, 0));
  EXPECT_THAT(parts->output_axes, ElementsAre(0));
  EXPECT_THAT(parts->output_backward, ElementsAre(0));
  EXPECT_FALSE(read_loop(node).has_value());
}

TEST(LoopParts, NumbersThatDoNotMatchAreRefused) {
  EXPECT_FALSE(read_loop(without_output(loop())).has_value());
  EXPECT_FALSE(read_scan(without_output(scan())).has_value());
  onnx::NodeProto fewer_outputs_than_states = loop();
  for (int i = 0; i < 2; ++i) {
    fewer_outputs_than_states.mutable_output()->RemoveLast();
    fewer_outputs_than_states.mutable_attribute(0)->mutable_g()->mutable_output()->RemoveLast();
  }
  EXPECT_FALSE(read_loop(fewer_outputs_than_states).has_value());
  onnx::NodeProto scans_too_much = scan();
  for (onnx::AttributeProto& attribute : *scans_too_much.mutable_attribute()) {
    if (attribute.name() == "num_scan_inputs") attribute.set_i(4);
  }
  EXPECT_FALSE(read_scan(scans_too_much).has_value());
}

}  // namespace
}  // namespace assay::reduce

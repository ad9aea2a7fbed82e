#include "model/source_lines.h"

#include <gtest/gtest.h>

#include "model/load.h"
#include "model/model.h"

namespace assay::model {
namespace {

void set_trace(onnx::NodeProto& node, const std::string& trace) {
  auto& entry = *node.add_metadata_props();
  entry.set_key("pkg.torch.onnx.stack_trace");
  entry.set_value(trace);
}

onnx::NodeProto node_with(const std::string& trace) {
  onnx::NodeProto node;
  set_trace(node, trace);
  return node;
}

// The trace of PyTorch's documentation.
TEST(SourceLinesTest, NamesFileLineFunctionAndCode) {
  EXPECT_EQ(source_line(node_with("File \"simpleadd.py\", line 7, in forward\n    return torch.add(x, y)\n")),
            "simpleadd.py:7, in forward: return torch.add(x, y)");
  EXPECT_EQ(source_line(node_with("File \"a b.py\", line 7, in forward")), "a b.py:7, in forward");
  EXPECT_EQ(source_line(node_with("")), "");
  EXPECT_EQ(source_line(node_with("no trace")), "");
  EXPECT_EQ(source_line(onnx::NodeProto()), "");
}

TEST(SourceLinesTest, PrefersTheInnermostFrameOutsideOfPyTorch) {
  const std::string user = "  File \"/u/model.py\", line 30, in forward\n    y = self.block(x)\n";
  const std::string inner = "  File \"/u/block.py\", line 9, in forward\n    return self.conv(x)\n";
  const std::string torch =
      "  File \"/env/site-packages/torch/nn/modules/conv.py\", line 554, in forward\n    return f()\n";
  EXPECT_EQ(source_line(node_with(user + inner + torch)), "/u/block.py:9, in forward: return self.conv(x)");
  EXPECT_EQ(source_line(node_with(torch)), "/env/site-packages/torch/nn/modules/conv.py:554, in forward: return f()");
}

TEST(SourceLinesTest, FindsNodesOfAReducedModelInTheOriginal) {
  Model original = parse_text(R"(<ir_version: 10, opset_import: ["" : 17]>
    g (float[2] x, bool c) => (float[2] z) {
      y = Exp(x)
      z = If(c) <then_branch = t () => (float[2] i) { i = Neg(y) }, else_branch = e () => (float[2] j) { j = Abs(y) }>
    })")
                       .value();
  onnx::NodeProto& exp = *original.graph().mutable_node(0);
  onnx::NodeProto& inner = *original.graph().mutable_node(1)->mutable_attribute(0)->mutable_g()->mutable_node(0);
  exp.set_name("node_exp");
  set_trace(exp, "File \"m.py\", line 1, in forward\n  y = x.exp()");
  set_trace(inner, "File \"m.py\", line 2, in true\n  return -y");

  const SourceLines lines(original.proto);
  onnx::NodeProto reduced = exp;
  reduced.clear_metadata_props();
  reduced.set_output(0, "other");
  EXPECT_EQ(lines.describe(reduced, 4), "Exp 'node_exp' (node #4), from m.py:1, in forward: y = x.exp()");
  reduced = inner;
  reduced.clear_metadata_props();
  EXPECT_EQ(lines.describe(reduced, 0), "Neg 'i' (node #0), from m.py:2, in true: return -y");
  reduced.set_output(0, "unknown");
  EXPECT_EQ(lines.describe(reduced, 0), "Neg 'unknown' (node #0)");
}

}  // namespace
}  // namespace assay::model

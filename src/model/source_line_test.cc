#include "model/source_line.h"

#include <gtest/gtest.h>

namespace assay::model {
namespace {

onnx::NodeProto node_with(const std::string& trace) {
  onnx::NodeProto node;
  onnx::StringStringEntryProto& entry = *node.add_metadata_props();
  entry.set_key("pkg.torch.onnx.stack_trace");
  entry.set_value(trace);
  return node;
}

// The trace of PyTorch's documentation.
TEST(SourceLineTest, NamesFileLineFunctionAndCode) {
  EXPECT_EQ(source_line(node_with("File \"simpleadd.py\", line 7, in forward\n    return torch.add(x, y)\n")),
            "simpleadd.py:7, in forward: return torch.add(x, y)");
  EXPECT_EQ(source_line(node_with("File \"a b.py\", line 7, in forward")), "a b.py:7, in forward");
  EXPECT_EQ(source_line(node_with("")), "");
  EXPECT_EQ(source_line(node_with("no trace")), "");
  EXPECT_EQ(source_line(onnx::NodeProto()), "");
}

TEST(SourceLineTest, PrefersTheInnermostFrameOutsideOfPyTorch) {
  const std::string user = "  File \"/u/model.py\", line 30, in forward\n    y = self.block(x)\n";
  const std::string inner = "  File \"/u/block.py\", line 9, in forward\n    return self.conv(x)\n";
  const std::string torch =
      "  File \"/env/site-packages/torch/nn/modules/conv.py\", line 554, in forward\n    return f()\n";
  EXPECT_EQ(source_line(node_with(user + inner + torch)), "/u/block.py:9, in forward: return self.conv(x)");
  EXPECT_EQ(source_line(node_with(torch)), "/env/site-packages/torch/nn/modules/conv.py:554, in forward: return f()");
}

TEST(SourceLineTest, IsAddedToTheDescriptionOfANode) {
  onnx::NodeProto node = node_with("File \"m.py\", line 1, in forward\n  y = x.exp()");
  node.set_op_type("Exp");
  node.set_name("node_exp");
  EXPECT_EQ(describe_with_source(node, 4), "Exp 'node_exp' (node #4), from m.py:1, in forward: y = x.exp()");
  node.clear_metadata_props();
  EXPECT_EQ(describe_with_source(node, 4), "Exp 'node_exp' (node #4)");
}

}  // namespace
}  // namespace assay::model

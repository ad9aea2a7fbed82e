#include "diagnose/mentioned_node.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay::diagnose {
namespace {

model::Model with_nodes(const std::vector<std::string>& names) {
  model::Model model;
  for (const std::string& name : names) {
    onnx::NodeProto& node = *model.graph().add_node();
    node.set_op_type("Relu");
    node.set_name(name);
  }
  return model;
}

TEST(MentionedNode, IsTheOneWithTheLongestName) {
  EXPECT_EQ(mentioned_node(with_nodes({"conv", "conv_1"}), "Node 'conv_1' reads conv").text, "Relu 'conv_1' (node #1)");
  EXPECT_EQ(mentioned_node(with_nodes({"/a/Conv", "/a/Conv_1"}), "at (/a/Conv)").text, "Relu '/a/Conv' (node #0)");
  EXPECT_EQ(mentioned_node(with_nodes({"ab"}), "at ab").text, "");
}

TEST(MentionedNode, IsTheOneThatOnnxRuntimeHasReplaced) {
  const model::Model model = with_nodes({"/a/Conv", "MatMul_3"});
  EXPECT_EQ(mentioned_node(model, "while running Conv node. Name:'/a/Conv_nchwc' Status").text,
            "Relu '/a/Conv' (node #0)");
  EXPECT_EQ(mentioned_node(model, "Name:'MatMul_3/MatMulAddFusion_FusedActivation'").text, "Relu 'MatMul_3' (node #1)");
  EXPECT_EQ(mentioned_node(model, "Name:'MatMul_3/MatMulAddFusions'").text, "");
}

TEST(MentionedNode, AWordThatContainsTheNameDoesNotMentionIt) {
  EXPECT_EQ(mentioned_node(with_nodes({"245"}), "out of 12450 bytes").text, "");
  EXPECT_EQ(mentioned_node(with_nodes({"Cast"}), "no kernel for CastLike, or MyCast").text, "");
  EXPECT_EQ(mentioned_node(with_nodes({"block"}), "at block/conv").text, "");
  EXPECT_EQ(mentioned_node(with_nodes({"245"}), "12450 of 245").text, "Relu '245' (node #0)");
}

}  // namespace
}  // namespace assay::diagnose

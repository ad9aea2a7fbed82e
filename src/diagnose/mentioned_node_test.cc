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

TEST(MentionedNode, IsTheOneThatIsNamedByItsOutput) {
  model::Model model = with_nodes({"/2/Conv", ""});
  model.graph().mutable_node(0)->add_output("/2/Conv_output_0");
  model.graph().mutable_node(1)->add_output("y");
  EXPECT_EQ(mentioned_node(model, "While validating ONNX node '<Node(Relu): /2/Conv_output_0>': Check").text,
            "Relu '/2/Conv' (node #0)");
  EXPECT_EQ(mentioned_node(model, R"(In Node, ("", Relu, "", -1) : ("x": tensor(float),) -> ("y",) , Error)").text,
            "Relu 'y' (node #1)");
  EXPECT_EQ(mentioned_node(model, "the rank of 'y' is unknown").text, "");
}

TEST(MentionedNode, AWordThatContainsTheNameDoesNotMentionIt) {
  EXPECT_EQ(mentioned_node(with_nodes({"245"}), "out of 12450 bytes").text, "");
  EXPECT_EQ(mentioned_node(with_nodes({"Cast"}), "no kernel for CastLike, or MyCast").text, "");
  EXPECT_EQ(mentioned_node(with_nodes({"block"}), "at block/conv").text, "");
  EXPECT_EQ(mentioned_node(with_nodes({"245"}), "12450 of 245").text, "Relu '245' (node #0)");
}

}  // namespace
}  // namespace assay::diagnose

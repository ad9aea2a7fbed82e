#include "model/model.h"

#include <gtest/gtest.h>

namespace assay::model {
namespace {

onnx::ModelProto importing(const std::string& domain, int version) {
  onnx::ModelProto model;
  model.add_opset_import()->set_domain("com.example");
  model.mutable_opset_import(0)->set_version(7);
  onnx::OperatorSetIdProto* import = model.add_opset_import();
  import->set_domain(domain);
  import->set_version(version);
  return model;
}

TEST(DefaultOpset, HasTwoNames) {
  EXPECT_EQ(default_opset(importing("", 17)), 17);
  EXPECT_EQ(default_opset(importing("ai.onnx", 21)), 21);
  EXPECT_EQ(default_opset(importing("ai.onnx.ml", 3)), 0);
  EXPECT_EQ(default_opset({}), 0);
}

TEST(DescribeNode, UsesTheNameElseTheFirstOutput) {
  onnx::NodeProto node;
  node.set_op_type("Conv");
  EXPECT_EQ(describe_node(node, 3), "Conv (node #3)");
  node.add_output("y");
  EXPECT_EQ(describe_node(node, 3), "Conv 'y' (node #3)");
  node.set_name("conv_1");
  EXPECT_EQ(describe_node(node, 3), "Conv 'conv_1' (node #3)");
}

}  // namespace
}  // namespace assay::model

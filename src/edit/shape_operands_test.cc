#include "edit/shape_operands.h"

#include <gtest/gtest.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "model/onnx_facts.h"

namespace assay::edit {
namespace {

onnx::NodeProto node_of(const std::string& op) {
  onnx::NodeProto node;
  node.set_op_type(op);
  return node;
}

bool is_of_integers(const onnx::OpSchema::FormalParameter& input) {
  return std::ranges::all_of(
      input.GetTypes(), [](const std::string* type) { return *type == "tensor(int32)" || *type == "tensor(int64)"; });
}

TEST(IsShapeOperand, KnowsShapesIndicesAndConditions) {
  EXPECT_TRUE(is_shape_operand(node_of("Reshape"), 1));
  EXPECT_FALSE(is_shape_operand(node_of("Reshape"), 0));
  EXPECT_TRUE(is_shape_operand(node_of("Slice"), 4));
  EXPECT_TRUE(is_shape_operand(node_of("MelWeightMatrix"), 4)) << "no filters if the edges are wrong";
  onnx::NodeProto other = node_of("Reshape");
  other.set_domain("com.microsoft");
  EXPECT_FALSE(is_shape_operand(other, 1));
}

// Integers are rarely data: an input that has no other type is a shape, an index or a length.
TEST(IsShapeOperand, KnowsTheInputsThatOnlyHaveIntegers) {
  const std::set<std::pair<std::string, int>> data = {
      {"QLinearConv", 8},  // bias
      {"Scan", 0},         // sequence_lens in version 8, data since version 9
  };
  for (const onnx::OpSchema& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    if (!model::is_default_domain(schema.domain())) continue;
    for (int i = 0; i < static_cast<int>(schema.inputs().size()); ++i) {
      if (!is_of_integers(schema.inputs().at(i)) || data.contains({schema.Name(), i})) continue;
      EXPECT_TRUE(is_shape_operand(node_of(schema.Name()), i)) << schema.Name() << ", input " << i;
    }
  }
}

}  // namespace
}  // namespace assay::edit

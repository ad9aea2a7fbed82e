#include "surgeon/graph/inline_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "model/graph_view.h"
#include "surgeon/graph/test_models.h"
#include "tests/support/paths.h"

namespace assay::surgeon {
namespace {

std::set<std::string> operators(const model::Model& model) {
  std::set<std::string> types;
  for (const auto& node : model.graph().node()) types.insert(node.op_type());
  return types;
}

TEST(InlineFunctions, PutsNodesOfNestedFunctionsInThePlaceOfCalls) {
  model::Model model = model::load(test::models_dir() / "nested_local_function.onnx").value();
  ASSERT_GT(model.proto.functions_size(), 1);
  std::set<std::string> functions;
  for (const auto& function : model.proto.functions()) functions.insert(function.name());
  ASSERT_TRUE(inline_functions(model));
  EXPECT_EQ(model.proto.functions_size(), 0);
  for (const std::string& type : operators(model)) EXPECT_FALSE(functions.contains(type)) << type;
  const model::GraphView view(model.graph());
  EXPECT_NE(view.producer(view.find(model.graph().output(0).name())), model::kNone) << "results keep their names";
}

// ONNX's inliner forgets the defaults of attributes, so that operators would take their own.
TEST(InlineFunctions, AttributesThatACallDoesNotSetHaveTheFunctionsDefaults) {
  model::Model model = parse(R"(g (float[2] x, bool b) => (float[2] y) {
      a = own.leaky (x)
      c = own.leaky <slope = 0.5> (a)
      d = own.outer (c)
      y = If (b) <then_branch = t () => (float[2] u) { u = own.leaky (d) }, else_branch = e () => (float[2] v) { v = Neg(d) }> }
    <domain: "own", opset_import: ["" : 17]>
    leaky <slope: float = 0.25> (p) => (q) { q = LeakyRelu <alpha: float = @slope> (p) }
    <domain: "own", opset_import: ["" : 17, "own" : 1]>
    outer (p) => (q) { q = own.leaky (p) })",
                             R"(ir_version: 9, opset_import: ["" : 17, "own" : 1])");
  ASSERT_TRUE(inline_functions(model));
  const auto alpha = [](const onnx::NodeProto& node) { return node.attribute(0).f(); };
  ASSERT_EQ(model.graph().node_size(), 4);
  EXPECT_EQ(alpha(model.graph().node(0)), 0.25F);
  EXPECT_EQ(alpha(model.graph().node(1)), 0.5F);
  EXPECT_EQ(alpha(model.graph().node(2)), 0.25F) << "a call by a function";
  for (const onnx::AttributeProto& branch : model.graph().node(3).attribute()) {
    const onnx::NodeProto& node = branch.g().node(0);
    EXPECT_TRUE(node.op_type() == "Neg" || alpha(node) == 0.25F) << branch.name();
  }
}

TEST(InlineFunctions, LeavesAModelWithoutFunctionsAsItIs) {
  model::Model model = parse("g (float[2] x) => (float[2] y) { y = Neg(x) }");
  const std::string before = text(model);
  ASSERT_TRUE(inline_functions(model));
  EXPECT_EQ(text(model), before);
}

}  // namespace
}  // namespace assay::surgeon

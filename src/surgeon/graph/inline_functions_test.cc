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

TEST(InlineFunctions, LeavesAModelWithoutFunctionsAsItIs) {
  model::Model model = parse("g (float[2] x) => (float[2] y) { y = Neg(x) }");
  const std::string before = text(model);
  ASSERT_TRUE(inline_functions(model));
  EXPECT_EQ(text(model), before);
}

}  // namespace
}  // namespace assay::surgeon

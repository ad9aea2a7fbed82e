#include "edit/node_names.h"

#include <gtest/gtest.h>

#include "edit/model_texts.h"

namespace assay::edit {
namespace {

using test::parse;

std::string given(NodeNames& names, const std::string& wanted) {
  onnx::NodeProto node;
  names.give(node, wanted);
  return node.name();
}

TEST(NodeNames, GivesEachNameOnce) {
  const model::Model model = parse(R"(g (float[2] x) => (float[2] z) { ["a"] y = Relu(x) ["a_2"] z = Neg(y) })");
  NodeNames names(model.graph());
  EXPECT_EQ(given(names, "b"), "b");
  EXPECT_EQ(given(names, "b"), "b_2");
  EXPECT_EQ(given(names, "a"), "a_3");
}

TEST(NodeNames, NodesWithoutANameStaySo) {
  const model::Model model = parse("g (float[2] x) => (float[2] z) { y = Relu(x) z = Neg(y) }");
  NodeNames names(model.graph());
  onnx::NodeProto node = model.graph().node(0);
  names.give(node, node.name());
  EXPECT_FALSE(node.has_name());
}

TEST(NodeNames, NamesInBodiesAreFree) {
  const model::Model model = parse(R"(g (bool c, float[2] x) => (float[2] y) {
    ["if"] y = If(c) <then_branch = t () => (float[2] a) { ["n"] a = Relu(x) },
                      else_branch = e () => (float[2] b) { ["n"] b = Neg(x) }> })");
  NodeNames names(model.graph());
  EXPECT_EQ(given(names, "n"), "n");
  EXPECT_EQ(given(names, "if"), "if_2");
}

}  // namespace
}  // namespace assay::edit

#include "edit/keep_ancestors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "edit/mark_outputs.h"
#include "model/load.h"

namespace assay::edit {
namespace {

using testing::ElementsAre;

template <class Items>
std::vector<std::string> names(const Items& items) {
  std::vector<std::string> found;
  for (const auto& item : items) found.push_back(item.name());
  return found;
}

class KeepAncestors : public testing::Test {
 protected:
  // Returns the node outputs that remain if these are the graph outputs.
  std::vector<std::string> keep(const std::vector<std::string>& outputs) {
    EXPECT_TRUE(set_outputs(model_, outputs));
    keep_ancestors(model_);
    std::vector<std::string> made;
    for (const auto& node : model_.graph().node()) made.insert(made.end(), node.output().begin(), node.output().end());
    return made;
  }

  model::Model model_ = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x, bool c, float[2] d) => (float[2] y)
      <float[2] w = {1,2}, float[2] v = {3,4}, float[2] d = {5,6}, float[2] a, float[2] b, float[2] e> {
        a = Add(x, w)
        b = Mul(a, v)
        e = Neg(x)
        y = If(c) <then_branch = t () => (float[2] ty) { ty = Neg(e) }, else_branch = f () => (float[2] fy) { fy = Identity(b) }>
      })")
                            .value();
};

TEST_F(KeepAncestors, DropsDescendantsAndUnrelatedNodes) {
  EXPECT_THAT(keep({"a"}), ElementsAre("a"));
  EXPECT_THAT(names(model_.graph().initializer()), ElementsAre("w", "d")) << "the default of an input stays";
  EXPECT_THAT(names(model_.graph().input()), ElementsAre("x", "c", "d"));
  EXPECT_THAT(names(model_.graph().value_info()), ElementsAre("a"));
}

TEST_F(KeepAncestors, FollowsCapturesOfBodies) {
  EXPECT_THAT(keep({"y"}), ElementsAre("a", "b", "e", "y"));
}

TEST_F(KeepAncestors, KeepsTheOrderOfTheFile) {
  EXPECT_THAT(keep({"e", "b"}), ElementsAre("a", "b", "e"));
  EXPECT_THAT(names(model_.graph().initializer()), ElementsAre("w", "v", "d"));
}

TEST_F(KeepAncestors, DropsUnusedSparseWeightsAndAnnotations) {
  onnx::GraphProto& graph = model_.graph();
  for (const char* name : {"read", "unread"}) graph.add_sparse_initializer()->mutable_values()->set_name(name);
  graph.mutable_node(0)->set_input(1, "read");    // of a
  graph.mutable_node(1)->set_input(1, "unread");  // of b
  for (const char* name : {"x", "a", "b", "d"}) graph.add_quantization_annotation()->set_tensor_name(name);
  EXPECT_THAT(keep({"a"}), ElementsAre("a"));
  ASSERT_EQ(graph.sparse_initializer_size(), 1);
  EXPECT_EQ(graph.sparse_initializer(0).values().name(), "read");
  std::vector<std::string> annotated;
  for (const auto& annotation : graph.quantization_annotation()) annotated.push_back(annotation.tensor_name());
  EXPECT_THAT(annotated, ElementsAre("x", "a", "d")) << "inputs stay";
}

TEST_F(KeepAncestors, TakesAnInputForAnOutput) {
  EXPECT_THAT(keep({"x"}), ElementsAre());
}

}  // namespace
}  // namespace assay::edit

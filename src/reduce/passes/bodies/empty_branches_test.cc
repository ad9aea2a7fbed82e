#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

std::vector<std::string> types(const onnx::GraphProto& graph) {
  std::vector<std::string> result;
  for (const onnx::NodeProto& node : graph.node()) result.push_back(node.op_type());
  return result;
}

TEST(EmptyBranches, PutsAConstantInThePlaceOfEachOutput) {
  const model::Model model = test::parse(R"(g (float[2] x, bool c) => (float[2] y, float[3] z) { y, z = If (c) <
      then_branch = t () => (float[2] b, float[3] d) { a = Abs(x)  b = Relu(a)  w = Constant <value =
      float[3] {1,2,3}> ()  d = Neg(w) },
      else_branch = e () => (float[2] e, float[3] f) { e = Exp(x)  f = Constant <value = float[3] {1,2,3}> () }> })");
  const auto changes = test::propose(empty_branches, model);
  ASSERT_EQ(changes.size(), 1U);  // the other one has a node for each output
  const model::Model applied = test::apply_all(model, changes);
  const onnx::NodeProto& node = applied.graph().node(0);
  for (const onnx::AttributeProto& branch : node.attribute()) {
    const bool then = branch.name() == "then_branch";
    EXPECT_THAT(types(branch.g()),
                then ? testing::ElementsAre("Constant", "Constant") : testing::ElementsAre("Exp", "Constant"));
  }
}

TEST(EmptyBranches, ReachesBranchesInBranches) {
  const model::Model model = test::parse(R"(g (float[2] x, bool c) => (float[2] y) { y = If (c) <
      then_branch = t () => (float[2] i) { i = If (c) <
        then_branch = u () => (float[2] b) { a = Abs(x)  b = Relu(a) },
        else_branch = v () => (float[2] d) { d = Exp(x) }> },
      else_branch = e () => (float[2] e) { e = Exp(x) }> })");
  const auto changes = test::propose(empty_branches, model);
  ASSERT_EQ(changes.size(), 2U);
  edit::test::expect_valid(test::apply_all(model, {changes[1]}));
  edit::test::expect_valid(test::apply_all(model, changes));
}

TEST(EmptyBranches, NeedsTheTypeOfAnOutput) {
  test::expect_nothing(empty_branches, R"(g (float[2] x, bool c) => (y) { y = If (c) <
      then_branch = t () => (b) { a = custom.Abs(x)  b = custom.Relu(a) },
      else_branch = e () => (d) { d = custom.Exp(x) }> })");
}

}  // namespace
}  // namespace assay::reduce

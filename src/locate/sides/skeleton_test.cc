#include "locate/sides/skeleton.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/load.h"

namespace assay::locate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

model::Model parse(const std::string& graph) {
  return model::parse_text("<ir_version: 8, opset_import: [\"\" : 17]>\n" + graph).value();
}

Skeleton skeleton_of(const model::Model& model, const SkeletonOptions& options = {}) {
  return make_skeleton(model::GraphView(model.graph()), options).value();
}

TEST(Skeleton, HasACellForEveryNodeThatIsNoConstant) {
  const Skeleton skeleton = skeleton_of(parse(R"(g (float[2] x) => (float[2] y) {
      one = Constant <value = float[2] {1, 1}> () a = Add(x, one) b = Neg(a) y = Mul(a, b) })"));
  EXPECT_THAT(skeleton.results, ElementsAre(ElementsAre("a"), ElementsAre("b"), ElementsAre("y")));
  EXPECT_THAT(skeleton.graph.parents, ElementsAre(IsEmpty(), ElementsAre(0), ElementsAre(0, 1)));
  EXPECT_THAT(skeleton.nodes, ElementsAre(1, 2, 3));
  EXPECT_THAT(skeleton.outputs, ElementsAre("y"));
}

TEST(Skeleton, LeavesOutWhatNoOutputNeeds) {
  const Skeleton skeleton = skeleton_of(parse(R"(g (float[4] x) => (float[2] y) {
      dead = Neg(x) y, unread = Split(x) })"));
  EXPECT_THAT(skeleton.results, ElementsAre(ElementsAre("y")));
  EXPECT_THAT(skeleton.needed, ElementsAre(false, true));
}

TEST(Skeleton, JoinsNodesWhoseResultsTheOtherSideLacks) {
  SkeletonOptions options;
  options.other_has = [](std::string_view name) { return name != "b" && name != "c"; };
  const Skeleton skeleton =
      skeleton_of(parse("g (float[2] x) => (float[2] y) { a = Neg(x) b = Abs(a) c = Exp(b) y = Add(c, a) }"), options);
  EXPECT_THAT(skeleton.results, ElementsAre(ElementsAre("a"), ElementsAre("y")));
  EXPECT_THAT(skeleton.graph.parents, ElementsAre(IsEmpty(), ElementsAre(0)));
  EXPECT_THAT(skeleton.missing, ElementsAre("b", "c"));
}

TEST(Skeleton, IsInTopologicalOrderWhateverThatOfTheFile) {
  const Skeleton skeleton = skeleton_of(parse("g (float[2] x) => (float[2] y) { y = Abs(a) a = Neg(x) }"));
  EXPECT_THAT(skeleton.results, ElementsAre(ElementsAre("a"), ElementsAre("y")));
}

TEST(Skeleton, KnowsWhatBodiesReadAndWhatIsNoTensor) {
  const Skeleton skeleton = skeleton_of(parse(R"(g (float[2] x, bool c) => (float[2] y) {
      a = Neg(x)
      s = SequenceConstruct(a)
      b = ConcatFromSequence <axis = 0> (s)
      y = If (c) <then_branch = t () => (float[2] t_out) { t_out = Abs(a) },
                  else_branch = e () => (float[4] e_out) { e_out = Exp(b) }> })"));
  EXPECT_THAT(skeleton.results, ElementsAre(ElementsAre("a"), ElementsAre("b"), ElementsAre("y")));
  EXPECT_THAT(skeleton.graph.parents, ElementsAre(IsEmpty(), ElementsAre(0), ElementsAre(0, 1)));
}

TEST(Skeleton, RefusesACycle) {
  const model::Model model = parse("g (float[2] x) => (float[2] y) { a = Add(x, y) y = Neg(a) }");
  EXPECT_FALSE(make_skeleton(model::GraphView(model.graph()), {}));
}

}  // namespace
}  // namespace assay::locate

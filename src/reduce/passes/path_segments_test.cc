#include "reduce/passes/path_segments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "edit/model_texts.h"
#include "edit/test_models.h"

namespace assay::reduce {
namespace {

using edit::test::parse;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> segments(const model::Model& model) {
  std::vector<std::string> texts;
  for (const PathSegment& segment : path_segments(model::GraphView(model.graph()))) {
    std::string text = segment.from + ":";
    for (const model::NodeId node : segment.nodes) text += " " + model.graph().node(node).output(0);
    EXPECT_TRUE(text.ends_with(" " + segment.to)) << text;
    texts.push_back(text);
  }
  return texts;
}

TEST(PathSegments, AreTheNodesOfAChainButTheFirstAndTheLast) {
  EXPECT_THAT(segments(edit::test::chain(5)), ElementsAre("t1: t2", "t2: t3", "t3: t4"));
  EXPECT_THAT(segments(edit::test::chain(2)), IsEmpty());
}

TEST(PathSegments, HoldBranchesThatMeetAgain) {
  EXPECT_THAT(segments(parse(R"(g (float[2] x) => (float[2] y) {
      a = Relu(x)  b = Exp(a)  c = Neg(b)  d = Add(b, c)  e = Abs(d)  f = Abs(d)  h = Add(e, f)  y = Relu(h) })")),
              ElementsAre("a: b", "b: c d", "d: e f h"));
}

TEST(PathSegments, LeaveOutWhatLiesOnNoPath) {
  EXPECT_THAT(segments(parse(R"(g (float[2] x, float[2] z) => (float[2] y, float[2] s) {
      a = Relu(x)  side = Neg(z)  b = Add(a, side)  s = Exp(b)  c = Relu(b)  y = Relu(c) })")),
              ElementsAre("a: b", "b: c"));
}

TEST(PathSegments, DoNotDependOnTheOrderInTheFile) {
  EXPECT_THAT(segments(parse(R"(g (float[2] x) => (float[2] y) {
      a = Relu(x)  d = Abs(c)  c = Abs(b)  b = Abs(a)  y = Relu(d) })")),
              ElementsAre("a: b", "b: c", "c: d"));
}

TEST(PathSegments, AreNoneInACycle) {
  EXPECT_THAT(
      segments(parse("g (float[2] x) => (float[2] y) { a = Add(x, b)  b = Relu(a)  c = Relu(b)  y = Relu(c) }")),
      IsEmpty());
}

TEST(NeededOnlyBy, IsWhatNothingElseReads) {
  const model::Model model = parse(R"(g (float[2] x, float[2] z) => (float[2] y, float[2] s) {
      p = Neg(z)  q = Exp(p)  r = Exp(z)  s = Exp(r)  a = Add(x, q)  y = Add(a, r) })");
  const model::GraphView view(model.graph());
  std::vector<bool> removed(6, false);
  removed[4] = true;
  EXPECT_THAT(needed_only_by(view, removed, {}), ElementsAre(0, 1));
  removed[5] = true;
  EXPECT_THAT(needed_only_by(view, removed, {}), ElementsAre(0, 1));  // r is read by s
  EXPECT_THAT(needed_only_by(view, removed, {view.find("q")}), IsEmpty());
}

}  // namespace
}  // namespace assay::reduce

#include "surgeon/graph/drop_unused.h"

#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

TEST(DropUnused, TakesOutNodesThatNoOutputNeeds) {
  model::Model model = parse("g (float[2] x, float[2] z) => (float[2] y) { a = Abs(x)  b = Neg(a)  y = Relu(x) }");
  EXPECT_EQ(drop_dead_nodes(model), 2);
  EXPECT_EQ(text(model), text(parse("g (float[2] x, float[2] z) => (float[2] y) { y = Relu(x) }")));
}

// Engines compute with the last of them.
TEST(DropUnused, KeepsTheLastOfSeveralConstants) {
  model::Model model = parse(R"(g (float[1] x) => (float[1] y) {
      c = Constant <value = float[1] {1}> ()  y = Add(x, c)  c = Constant <value = float[1] {2}> () })");
  EXPECT_EQ(drop_dead_nodes(model), 1);
  EXPECT_EQ(text(model), text(parse(R"(g (float[1] x) => (float[1] y) {
      y = Add(x, c)  c = Constant <value = float[1] {2}> () })")));
}

TEST(DropUnused, CountsUsesInBodies) {
  model::Model model = parse(R"(g (float[2] x, bool c) => (float[2] y) { a = Abs(x)  b = Neg(x)
      y = If (c) <then_branch = t () => (float[2] t) { d = Abs(b)  t = Relu(a) },
                  else_branch = e () => (float[2] e) { e = Relu(x) }> })");
  EXPECT_EQ(drop_dead_nodes(model), 2) << "d, and then b, which only d read";
  EXPECT_EQ(text(model), text(parse(R"(g (float[2] x, bool c) => (float[2] y) { a = Abs(x)
      y = If (c) <then_branch = t () => (float[2] t) { t = Relu(a) },
                  else_branch = e () => (float[2] e) { e = Relu(x) }> })")));
}

TEST(DropUnused, RemovesUnusedWeights) {
  model::Model model = parse(R"(g (float[2] x, bool c) => (float[2] y, float[1] k)
      <float[2] w = {1,2}, float[1] k = {1}, float[3] u = {1,2,3}> {
      y = If (c) <then_branch = t () => (float[2] t) <float[2] v = {1,2}> { t = Add(x, w) },
                  else_branch = e () => (float[2] e) { e = Relu(x) }> })");
  EXPECT_EQ(drop_unused_initializers(model), 2);
  EXPECT_EQ(text(model), text(parse(R"(g (float[2] x, bool c) => (float[2] y, float[1] k)
      <float[2] w = {1,2}, float[1] k = {1}> {
      y = If (c) <then_branch = t () => (float[2] t) { t = Add(x, w) },
                  else_branch = e () => (float[2] e) { e = Relu(x) }> })")));
}

TEST(DropUnused, AWeightThatIsAnInputGoesFromBothLists) {
  model::Model model = parse("g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1,2}> { y = Neg(x) }");
  EXPECT_EQ(drop_unused_initializers(model), 1);
  EXPECT_EQ(model.graph().input_size(), 1);
}

TEST(DropUnused, RemovesValueInfosOfRemovedTensors) {
  model::Model model = parse("g (float[2] x) => (float[2] y) <float[2] a> { a = Abs(x)  y = Relu(x) }");
  ASSERT_EQ(model.graph().value_info_size(), 1);
  drop_dead_nodes(model);
  drop_unused_initializers(model);
  EXPECT_EQ(model.graph().value_info_size(), 0);
}

}  // namespace
}  // namespace assay::surgeon

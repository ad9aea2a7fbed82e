#include "surgeon/graph/sort_nodes.h"

#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

TEST(SortNodes, PutsProducersFirstAndKeepsTheRest) {
  model::Model model = parse(R"(g (float[2] x, bool c) => (float[2] y, float[2] z) {
      z = Neg(x)  y = Add(b, a)  b = Abs(a)  a = Relu(x) })");
  ASSERT_TRUE(sort_nodes(model));
  EXPECT_EQ(text(model), text(parse(R"(g (float[2] x, bool c) => (float[2] y, float[2] z) {
      z = Neg(x)  a = Relu(x)  b = Abs(a)  y = Add(b, a) })")));
}

TEST(SortNodes, CountsCapturesOfBodies) {
  model::Model model = parse(R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { t = Neg(u)  u = Relu(a) },
                  else_branch = e () => (float[2] e) { e = Relu(x) }>
      a = Abs(x) })");
  ASSERT_TRUE(sort_nodes(model));
  EXPECT_EQ(text(model), text(parse(R"(g (float[2] x, bool c) => (float[2] y) {
      a = Abs(x)
      y = If (c) <then_branch = t () => (float[2] t) { u = Relu(a)  t = Neg(u) },
                  else_branch = e () => (float[2] e) { e = Relu(x) }> })")));
}

TEST(SortNodes, NamesANodeOnACycle) {
  model::Model model = parse("g (float[2] x) => (float[2] y) { a = Add(b, x)  b = Neg(a)  y = Abs(b) }");
  const base::Status status = sort_nodes(model);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message(), testing::AnyOf(testing::HasSubstr("Add 'a'"), testing::HasSubstr("Neg 'b'")));
}

}  // namespace
}  // namespace assay::surgeon

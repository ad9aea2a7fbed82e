#include "surgeon/graph/free_names.h"

#include "model/inference/check.h"
#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

// A body may define the name of a tensor that is computed after its node, but not that of an input.
TEST(FreeNames, RenamesResultsAndTensorsOfBodies) {
  model::Model model = parse(R"(g (bool c, float[2] x, float[2] b) => (float[2] y) {
      a = If(c) <then_branch = then () => (float[2] p) { b = Neg(x)  p = Abs(b) },
                 else_branch = else () => (float[2] b) { b = Exp(x) }>
      b, n = Dropout(x)
      "b/inner" = Neg(b)
      m = Add(a, "b/inner")
      y = Where(n, m, b) })");
  EXPECT_FALSE(model::check(model));
  free_names(model.graph(), {"b"});
  EXPECT_EQ(text(model), text(parse(R"(g (bool c, float[2] x, float[2] b) => (float[2] y) {
      a = If(c) <then_branch = then () => (float[2] p) { "b/inner_2" = Neg(x)  p = Abs("b/inner_2") },
                 else_branch = else () => (float[2] "b/inner_3") { "b/inner_3" = Exp(x) }>
      "b/computed", n = Dropout(x)
      "b/inner" = Neg(b)
      m = Add(a, "b/inner")
      y = Where(n, m, b) })")));
  EXPECT_TRUE(model::check(model));
}

}  // namespace
}  // namespace assay::surgeon

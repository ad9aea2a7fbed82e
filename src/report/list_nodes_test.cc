#include "report/list_nodes.h"

#include <gmock/gmock.h>

#include "model/load.h"

namespace assay::report {
namespace {

using testing::ElementsAre;

model::Model with_bodies() {
  return model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
    g (bool c, float[2] x) => (float[2] z) {
      y = If(c) <then_branch = t () => (float[2] a) {
                   k = Constant<value = float {1}>()
                   a = If(c) <then_branch = i () => (float[2] p) { p = Exp(x) },
                              else_branch = j () => (float[2] q) { q = Log(x) }> },
                 else_branch = e () => (float[2] b) { b = own.outer(x) }>
      z = Neg(y)
    }
    <domain: "own", opset_import: ["" : 17, "own" : 1]> outer (x) => (y) { t = own.inner(x) y = Abs(t) }
    <domain: "own", opset_import: ["" : 17]> inner (x) => (y) { y = Sin(x) })")
      .value();
}

TEST(ListNodes, IndentsThoseOfBodiesAndFunctionsBelowTheirNode) {
  EXPECT_THAT(describe_nodes(with_bodies(), 20, ListConstants::no),
              ElementsAre("If 'y' (node #0)", "    If 'a' (node #1)", "        Exp 'p' (node #0)",
                          "        Log 'q' (node #0)", "    outer 'b' (node #0)", "        inner 't' (node #0)",
                          "            Sin 'y' (node #0)", "        Abs 'y' (node #1)", "Neg 'z' (node #1)"));
}

TEST(ListNodes, ListsAtMostAsManyAsAskedFor) {
  EXPECT_THAT(describe_nodes(with_bodies(), 3),
              ElementsAre("If 'y' (node #0)", "    Constant 'k' (node #0)", "    If 'a' (node #1)", "..."));
}

TEST(ListNodes, EndsInAFunctionThatCallsItself) {
  const auto model = model::parse_text(R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
    g (float[2] x) => (float[2] y) { y = own.f(x) }
    <domain: "own", opset_import: ["" : 17, "own" : 1]> f (x) => (y) { t = own.f(x) y = own.f(t) })");
  const NodeList list = list_nodes(model.value(), 100);
  EXPECT_EQ(list.nodes.size(), 100U);
  EXPECT_FALSE(list.complete);
}

}  // namespace
}  // namespace assay::report

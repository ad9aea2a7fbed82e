#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bodies/body_test_support.h"

namespace assay::reduce {
namespace {

using test::apply;
using test::parse;
using test::text;

model::Model model_of(const std::string& nodes) {
  return parse(
      "g (float[2] x) => (float[2] y) { y = own.f (x) }\n<domain: \"own\", opset_import: [\"\" : 17]> f (u) => (v) { " +
          nodes + " }",
      R"(ir_version: 8, opset_import: ["" : 17, "own" : 1])");
}

TEST(BypassFunctionNodes, ThoseThatKeepTheTypeComeFirst) {
  const model::Model model = model_of("a = Shape(u)  b = Neg(u)  c = Reshape(b, a)  v = Abs(c)");
  EXPECT_EQ(test::propose(bypass_function_nodes, model).size(), 4);
  EXPECT_EQ(text(apply(bypass_function_nodes, model, {0}, 1)),
            text(model_of("a = Shape(u)  c = Reshape(u, a)  v = Abs(c)")));
  EXPECT_EQ(text(apply(bypass_function_nodes, model, {3}, 1)), text(model_of("b = Neg(u)  v = Abs(b)")));
}

TEST(BypassFunctionNodes, OnlyOfFunctionsThatAreCalled) {
  const model::Model model = parse(R"(g (float[2] x) => (float[2] y) { y = Abs(x) }
      <domain: "own", opset_import: ["" : 17]> f (u) => (v) { a = Neg(u)  v = Abs(a) })",
                                   R"(ir_version: 8, opset_import: ["" : 17, "own" : 1])");
  EXPECT_TRUE(test::propose(bypass_function_nodes, model).empty());
}

TEST(BypassFunctionNodes, AnySubsetIsValid) {
  test::expect_any_subset_valid(bypass_function_nodes, model_of("a = Neg(u)  b = Exp(a)  c = Add(b, a)  v = Abs(c)"));
}

}  // namespace
}  // namespace assay::reduce

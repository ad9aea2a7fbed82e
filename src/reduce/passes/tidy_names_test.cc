#include "reduce/passes/node_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

TEST(TidyNames, GivesShortNames) {
  test::expect_all(tidy_names,
                   "g (float[2] x) => (float[2] y) <float[2] w = {1,2}> { [node_1] b = Add(x, w)  [other] y = Neg(b) }",
                   "g (float[2] x) => (float[2] y) <float[2] t0 = {1,2}> { [n0] t1 = Add(x, t0)  [n1] y = Neg(t1) }");
}

TEST(TidyNames, ShortNamesStayAndAreNotGivenTwice) {
  test::expect_all(tidy_names, "g (float[2] t1) => (float[2] y) { t0 = Abs(t1)  [n1] a = Neg(t0)  [n] y = Exp(a) }",
                   "g (float[2] t1) => (float[2] y) { t0 = Abs(t1)  [n1] t2 = Neg(t0)  [n0] y = Exp(t2) }");
  test::expect_nothing(tidy_names, "g (float[2] x) => (float[2] y) { [n4] t7 = Abs(x)  y = Neg(t7) }");
}

TEST(TidyNames, InBodiesToo) {
  test::expect_all(tidy_names, R"(g (float[2] x, bool c) => (float[2] y) { a = Abs(x)
      y = If (c) <then_branch = t () => (float[2] out) { b = Neg(a)  out = Add(b, a) },
                  else_branch = e () => (float[2] out2) { out2 = Neg(x) }> })",
                   R"(g (float[2] x, bool c) => (float[2] y) { t0 = Abs(x)
      y = If (c) <then_branch = t () => (float[2] t2) { t1 = Neg(t0)  t2 = Add(t1, t0) },
                  else_branch = e () => (float[2] t3) { t3 = Neg(x) }> })");
}

TEST(TidyNames, EachKindOfDetailIsAChangeOfItsOwn) {
  model::Model model = test::parse("g (float[2] x) => (float[2] y) <float[2] t0> { [n0] t0 = Abs(x)  y = Neg(t0) }",
                                   R"(ir_version: 8, opset_import: ["" : 17, "unused" : 1], producer_name: "p",
                                      doc_string: "d", metadata_props: ["k" : "v"])");
  EXPECT_EQ(test::propose(tidy_names, model).size(), 5U);
  model = test::apply_all(model, test::propose(tidy_names, model));
  EXPECT_EQ(model.proto.opset_import_size(), 1);
  EXPECT_EQ(model.proto.metadata_props_size() + model.graph().value_info_size(), 0);
  EXPECT_FALSE(model.proto.has_doc_string() || model.proto.has_producer_name());
  EXPECT_TRUE(test::propose(tidy_names, model).empty());
}

}  // namespace
}  // namespace assay::reduce

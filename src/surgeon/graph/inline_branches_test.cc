#include "surgeon/graph/inline_branches.h"

#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

void expect(const std::string& before, const std::string& after, std::size_t inlined) {
  model::Model model = parse(before);
  EXPECT_EQ(inline_branches(model).size(), inlined);
  EXPECT_EQ(text(model), text(parse(after)));
}

TEST(InlineBranches, TakesTheThenBranchInTheIfsPlace) {
  expect(R"(g (float[2] x) => (float[2] y) <bool c = {1}> { a = Abs(x)
              b = If (c) <then_branch = t () => (float[2] t) { u = Relu(a)  t = Neg(u) },
                          else_branch = e () => (float[2] e) { e = Exp(a) }>
              y = Sqrt(b) })",
         "g (float[2] x) => (float[2] y) <bool c = {1}> { a = Abs(x)  u = Relu(a)  b = Neg(u)  y = Sqrt(b) }", 1);
}

TEST(InlineBranches, TakesTheElseBranchWithItsWeights) {
  expect(R"(g (float[2] x) => (float[2] y) <bool c = {0}> {
              y = If (c) <then_branch = t () => (float[2] t) { t = Neg(x) },
                          else_branch = e () => (float[2] e) <float[2] k = {1,2}> { e = Add(x, k) }> })",
         "g (float[2] x) => (float[2] y) <bool c = {0}, float[2] k = {1,2}> { y = Add(x, k) }", 1);
}

TEST(InlineBranches, NamesThatAreTakenGetOthers) {
  expect(R"(g (float[2] x) => (float[2] y, float[2] z) <bool c = {1}> {
              b = If (c) <then_branch = t () => (float[2] r) { u = Relu(x)  r = Neg(u) },
                          else_branch = e () => (float[2] e) { e = Exp(x) }>
              d = If (c) <then_branch = t () => (float[2] r) { u = Abs(x)  r = Neg(u) },
                          else_branch = e () => (float[2] e) { e = Exp(x) }>
              y = Sqrt(b)  z = Sqrt(d) })",
         R"(g (float[2] x) => (float[2] y, float[2] z) <bool c = {1}> {
              u_inlined_1 = Relu(x)  b = Neg(u_inlined_1)  u = Abs(x)  d = Neg(u)  y = Sqrt(b)  z = Sqrt(d) })",
         2);
}

TEST(InlineBranches, NodesGetOtherNamesIfTheirsAreTaken) {
  expect(R"(g (float[2] x) => (float[2] y, float[2] v) <bool c = {1}> {
              ["n"] a = Relu(x)
              ["if"] y, v = If (c) <then_branch = t () => (float[2] t, float[2] t) {
                                      ["n"] s = Abs(a)
                                      ["inner"] t = If (c) <
                                          then_branch = t2 () => (float[2] t2) { ["n"] t2 = Neg(s) },
                                          else_branch = e2 () => (float[2] e2) { ["n"] e2 = Exp(s) }> },
                                    else_branch = e () => (float[2] e, float[2] e) { ["n"] e = Exp(a) }>
              ["v_inlined"] d = Neg(v) })",
         R"(g (float[2] x) => (float[2] y, float[2] v) <bool c = {1}> {
              ["n"] a = Relu(x)  ["n_2"] s = Abs(a)  ["n_3"] y = Neg(s)  ["v_inlined_2"] v = Identity(y)
              ["v_inlined"] d = Neg(v) })",
         2);
}

TEST(InlineBranches, OutputsThatTheBranchDoesNotMakeAreCopied) {
  model::Model model = parse(R"(g (float[2] x) => (float[2] y, float[2] z, float[2] v) <bool c = {1}> {
      y, z, v = If (c) <then_branch = t () => (float[2] r, float[2] r, float[2] k) <float[2] k = {1,2}> { r = Relu(x) },
                        else_branch = e () => (float[2] e, float[2] e, float[2] e) { e = Exp(x) }> })");
  EXPECT_THAT(inline_branches(model), testing::ElementsAre("c"));
  for (onnx::NodeProto& node : *model.graph().mutable_node()) node.clear_name();
  EXPECT_EQ(text(model), text(parse(R"(g (float[2] x) => (float[2] y, float[2] z, float[2] v)
      <bool c = {1}, float[2] k = {1,2}> { y = Relu(x)  z = Identity(y)  v = Identity(k) })")));
}

TEST(InlineBranches, InnerIfsAndBodiesFollow) {
  expect(R"(g (float[2] x, bool q) => (float[2] y) <bool c = {1}> {
              y = If (c) <then_branch = t () => (float[2] t) {
                            s = Abs(x)
                            w = If (c) <then_branch = a () => (float[2] p) { p = Neg(s) },
                                        else_branch = b () => (float[2] o) { o = Exp(s) }>
                            t = If (q) <then_branch = a2 () => (float[2] p2) { p2 = Add(w, s) },
                                        else_branch = b2 () => (float[2] o2) { o2 = Exp(w) }> },
                          else_branch = e () => (float[2] e) { e = Exp(x) }> })",
         R"(g (float[2] x, bool q) => (float[2] y) <bool c = {1}> {
              s = Abs(x)  w = Neg(s)
              y = If (q) <then_branch = a2 () => (float[2] p2) { p2 = Add(w, s) },
                          else_branch = b2 () => (float[2] o2) { o2 = Exp(w) }> })",
         2);
}

TEST(InlineBranches, AConditionCanBeAWeightOfABranchThatWasInlined) {
  expect(R"(g (float[2] x) => (float[2] y) <bool c = {1}> {
              y = If (c) <then_branch = t () => (float[2] t) <bool d = {0}> {
                            t = If (d) <then_branch = a () => (float[2] p) { p = Neg(x) },
                                        else_branch = b () => (float[2] o) { o = Exp(x) }> },
                          else_branch = e () => (float[2] e) { e = Exp(x) }> })",
         "g (float[2] x) => (float[2] y) <bool c = {1}, bool d = {0}> { y = Exp(x) }", 2);
}

// A name means what the body defines, not what the graph around it defines.
TEST(InlineBranches, AConditionThatTheBodyComputesStays) {
  const std::string body = R"(g (float[2] x, bool q) => (float[2] y) <bool c = {1}> {
      y = If (q) <then_branch = t () => (float[2] t) {
                    c = Not(q)
                    t = If (c) <then_branch = a () => (float[2] p) { p = Neg(x) },
                                else_branch = b () => (float[2] o) { o = Exp(x) }> },
                  else_branch = e () => (float[2] e) { e = Exp(x) }> })";
  expect(body, body, 0);
}

TEST(InlineBranches, AnIfInsideABodyIsInlinedThere) {
  expect(R"(g (float[2] x, bool q) => (float[2] y) <bool c = {1}> {
              y = If (q) <then_branch = t () => (float[2] t) {
                            t = If (c) <then_branch = a () => (float[2] p) { p = Neg(x) },
                                        else_branch = b () => (float[2] o) { o = Exp(x) }> },
                          else_branch = e () => (float[2] e) { e = Exp(x) }> })",
         R"(g (float[2] x, bool q) => (float[2] y) <bool c = {1}> {
              y = If (q) <then_branch = t () => (float[2] t) { t = Neg(x) },
                          else_branch = e () => (float[2] e) { e = Exp(x) }> })",
         1);
}

TEST(InlineBranches, AConditionThatIsNotConstantStays) {
  const std::string body = R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { t = Neg(x) },
                  else_branch = e () => (float[2] e) { e = Exp(x) }> })";
  expect(body, body, 0);
}

}  // namespace
}  // namespace assay::surgeon

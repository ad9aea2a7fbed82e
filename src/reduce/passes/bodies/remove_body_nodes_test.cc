#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bodies/body_test_support.h"

namespace assay::reduce {
namespace {

using test::expect_change;
using test::parse;

constexpr const char* kLoop = R"(g (float[2] x, int64 m, bool c) => (float[2] y) {
    y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) {
                          a = Abs(s)  d = Exp(a)  t = Neg(d) }> })";

TEST(RemoveBodyNodes, WhatANodeMadeBecomesAnInputOfTheOuterGraph) {
  expect_change(remove_body_nodes, kLoop, 1, R"(g (float[2] x, int64 m, bool c, float[2] d) => (float[2] y) {
      y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) { a = Abs(s)  t = Neg(d) }>
      })");
}

TEST(RemoveBodyNodes, WhatABodyGivesBackIsMadeByAnIdentity) {
  expect_change(remove_body_nodes, kLoop, 2, R"(g (float[2] x, int64 m, bool c, float[2] t_1) => (float[2] y) {
      y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) {
                            a = Abs(s)  d = Exp(a)  t = Identity(t_1) }> })");
}

TEST(RemoveBodyNodes, ANodeThatNothingReadsIsJustRemoved) {
  expect_change(remove_body_nodes, R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { a = Abs(x)  t = Neg(x) },
                  else_branch = e () => (float[2] e) { e = Exp(x) }> })",
                0, R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { t = Neg(x) }, else_branch = e () => (float[2] e) { e = Exp(x) }>
      })");
}

TEST(RemoveBodyNodes, ATensorWhoseNameAnotherBodyHasTooGetsANewOne) {
  expect_change(remove_body_nodes, R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { a = Abs(x)  t = Neg(a) },
                  else_branch = e () => (float[2] e) { a = Sin(x)  e = Exp(a) }> })",
                0, R"(g (float[2] x, bool c, float[2] a_1) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { t = Neg(a_1) },
                  else_branch = e () => (float[2] e) { a = Sin(x)  e = Exp(a) }> })");
}

TEST(RemoveBodyNodes, AnyNodesOfInnerBodiesToo) {
  const model::Model model = parse(R"(g (float[2] x, int64 m, bool c) => (float[2] y) {
      y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) {
            a = Abs(s)
            t = If (go) <then_branch = u () => (float[2] p) { q = Neg(a)  p = Exp(q) },
                         else_branch = e () => (float[2] o) { o = Sin(s) }> }> })");
  EXPECT_EQ(test::propose(remove_body_nodes, model).size(), 5);
  test::expect_any_subset_valid(remove_body_nodes, model);
}

class RemoveBodyNodesRun : public test::EngineTest {};

TEST_F(RemoveBodyNodesRun, GivenWhatTheNodeMadeTheSameComesOut) {
  const model::Model model = parse(kLoop);
  tensor::NamedTensors feeds;
  feeds.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {0, 0}));
  feeds.set("m", tensor::Tensor::of<std::int64_t>(tensor::ElementType::int64, {}, {1}));
  feeds.set("c", tensor::Tensor::of<std::uint8_t>(tensor::ElementType::boolean, {}, {1}));
  feeds.set("d", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {1, 1}));
  expect_same_outputs(model, test::apply(remove_body_nodes, model, {1}, 1), feeds);
}

}  // namespace
}  // namespace assay::reduce

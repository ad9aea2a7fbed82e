#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bodies/body_test_support.h"

namespace assay::reduce {
namespace {

using test::expect_change;
using test::parse;

constexpr const char* kLoop = R"(g (float[2] x, int64 m, bool c) => (float[2] y) {
    y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) {
                          a = Abs(s)  d = Exp(a)  t = Neg(d) }> })";

TEST(BypassBodyNodes, ReadersReadTheInput) {
  expect_change(bypass_body_nodes, kLoop, 1, R"(g (float[2] x, int64 m, bool c) => (float[2] y) {
      y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) { a = Abs(s)  t = Neg(a) }>
      })");
}

TEST(BypassBodyNodes, ABodyGivesBackWhatItMakesFurtherUp) {
  expect_change(bypass_body_nodes, kLoop, 2, R"(g (float[2] x, int64 m, bool c) => (float[2] y) {
      y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] d) { a = Abs(s)  d = Exp(a) }>
      })");
}

TEST(BypassBodyNodes, WhatABodyWasGivenItGivesBackThroughAnIdentity) {
  expect_change(bypass_body_nodes, R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { t = Neg(x) }, else_branch = e () => (float[2] e) { e = Exp(x) }>
      })",
                0, R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { t = Identity(x) },
                  else_branch = e () => (float[2] e) { e = Exp(x) }> })");
}

TEST(BypassBodyNodes, OperatorsThatKeepTheTypeNeedNoKnownOne) {
  expect_change(bypass_body_nodes, R"(g (float[2] x, int64 m, bool c, int64 k) => (seq(float[N]) y) {
      a = SequenceConstruct(x)
      y = Loop (m, c, a) <body = b (int64 i, bool go, seq(float[N]) s) => (bool go, seq(float[N]) t) {
            d = SequenceErase(s, k)  t = SequenceInsert(d, x) }> })",
                0, R"(g (float[2] x, int64 m, bool c) => (seq(float[N]) y) {
      a = SequenceConstruct(x)
      y = Loop (m, c, a) <body = b (int64 i, bool go, seq(float[N]) s) => (bool go, seq(float[N]) t) {
            t = SequenceInsert(s, x) }> })");
}

TEST(BypassBodyNodes, NotIfTheShapeDiffers) {
  test::expect_nothing(bypass_body_nodes, R"(g (float[2,3] x, bool c) => (float[3,2] y) {
      y = If (c) <then_branch = t () => (float[3,2] t) { t = Transpose(x) },
                  else_branch = e () => (float[3,2] e) { e = Transpose(x) }> })");
}

TEST(BypassBodyNodes, AnySubsetIsValid) {
  test::expect_any_subset_valid(bypass_body_nodes, parse(kLoop));
}

}  // namespace
}  // namespace assay::reduce

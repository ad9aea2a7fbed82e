#include "reduce/passes/bodies/unroll_loop.h"

#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bodies/body_test_support.h"

namespace assay::reduce {
namespace {

using test::apply;
using test::expect_change;
using test::parse;
using test::text;

constexpr const char* kLoop = R"(g (float[2] x, int64 m, bool c) => (float[2] y, float[n,2] z) { a = Abs(x)
    y, z = Loop (m, c, a) <body = b (int64 i, bool go, float[2] s) => (bool again, float[2] t, float[2] u)
                           <float[2] k = {1,2}> { again = Identity(go)  t = Add(s, k)  u = Neg(t) }> })";

TEST(UnrollLoop, OneIterationTakesTheLoopsPlace) {
  expect_change(unroll_loop, kLoop, 0, R"(g (float[2] x) => (float[2] y, float[2] z)
      <float[2] k = {1,2}, bool go = {1}> { a = Abs(x)  again = Identity(go)  y = Add(a, k)  z = Neg(y) })");
}

TEST(UnrollLoop, WhatIsReadFurtherOnKeepsItsRank) {
  expect_change(unroll_loop, R"(g (float[2] x, int64 m) => (float[n,2] w) {
      y, z = Loop (m, , x) <body = b (int64 i, bool go, float[2] s) => (bool again, float[2] t, float[2] u) {
                              again = Identity(go)  t = Neg(s)  u = Abs(s) }>
      w = Relu(z) })",
                0, R"(g (float[2] x) => (float[n,2] w) <bool go = {1}, int64[1] z_axes = {0}> {
      again = Identity(go)  y = Neg(x)  z_slice = Abs(x)  z = Unsqueeze(z_slice, z_axes)  w = Relu(z) })");
}

TEST(UnrollLoop, OutputsKeepTheirRankIfNothingIsKnownOfTheBody) {
  const std::string header = R"(ir_version: 8, opset_import: ["" : 17, "my" : 1])";
  const model::Model before = parse(R"(g (float[2] x, int64 m) => (float[2] y, float[n,2] z) {
      y, z = Loop (m, , x) <body = b (int64 i, bool go, float[] s) => (bool go, float[] t, float[] u) {
                              t = my.One(s)  u = my.Two(s) }> })",
                                    header);
  EXPECT_EQ(text(apply(unroll_loop, before, {0}, 1)),
            text(parse("g (float[2] x) => (float[?] y, float[?] z) { y = my.One(x)  z = my.Two(x) }", header)));
}

TEST(UnrollLoop, BeforeOpset13TheAxisIsAnAttribute) {
  const model::Model before = parse(R"(g (float[2] x, int64 m) => (float[n,2] w) {
      y, z = Loop (m, , x) <body = b (int64 i, bool go, float[2] s) => (bool again, float[2] t, float[2] u) {
                              again = Identity(go)  t = Neg(s)  u = Abs(s) }>
      w = Relu(z) })",
                                    R"(ir_version: 6, opset_import: ["" : 11])");
  const model::Model after = apply(unroll_loop, before, {0}, 1);
  EXPECT_THAT(text(after), testing::HasSubstr("z = Unsqueeze <axes: ints = [0]> (z_slice)"));
}

TEST(UnrollLoop, TheNumberOfTheIterationIsZero) {
  expect_change(unroll_loop, R"(g (int64 x, int64 m, bool c) => (int64 y) {
      y = Loop (m, c, x) <body = b (int64 i, bool go, int64 s) => (bool go, int64 t) { t = Add(s, i) }> })",
                0, "g (int64 x) => (int64 y) <int64 i = {0}> { y = Add(x, i) }");
}

TEST(UnrollLoop, WhatTheBodyOnlyPassesOnComesThroughAnIdentity) {
  expect_change(unroll_loop, R"(g (float[2] x, float[2] v, int64 m, bool c) => (float[2] y, float[2] z) {
      y, z = Loop (m, c, x, v) <body = b (int64 i, bool go, float[2] s, float[2] q) => (bool go, float[2] q, float[2] t)
                                { t = Add(s, q) }> })",
                0, "g (float[2] x, float[2] v) => (float[2] y, float[2] z) { z = Add(x, v)  y = Identity(v) }");
}

TEST(UnrollLoop, ALoopInALoopIsUnrolledThere) {
  const std::string before = R"(g (float[2] x, int64 m, bool c) => (float[2] y) {
      y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) {
            t = Loop (m, c, s) <body = b2 (int64 i2, bool go2, float[2] s2) => (bool go2, float[2] t2) {
                                  t2 = Mul(s2, s) }> }> })";
  expect_change(unroll_loop, before, 1, R"(g (float[2] x, int64 m, bool c) => (float[2] y) {
      y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) { t = Mul(s, s) }> })");
  test::expect_any_subset_valid(unroll_loop, parse(before));
}

std::string unrolled_to(std::int64_t number, const std::string& before) {
  const model::Model model = parse(before);
  const edit::ValueInfos known = edit::known_value_infos(model);
  const auto unrolled = unroll_to({.model = model, .known = known, .values = {}}, "y", number);
  if (!unrolled) return "nothing";
  const model::Model after = edit::apply(model, {&unrolled->change}, known).model;
  test::expect_valid(after);
  return text(after);
}

TEST(UnrollLoop, ALaterIterationStandsBehindALoopOfThoseBefore) {
  EXPECT_EQ(unrolled_to(5, kLoop), text(parse(R"(g (float[2] x, bool c) => (float[2] y, float[2] z)
      <float[2] k_1 = {1,2}, bool go = {1}, int64 i_rounds = {5}, float[2] y_before> { a = Abs(x)
        y_before = Loop (i_rounds, c, a) <body = b (int64 i, bool go, float[2] s) => (bool again, float[2] t)
                           <float[2] k = {1,2}> { again = Identity(go)  t = Add(s, k)  u = Neg(t) }>
        again_1 = Identity(go)  y = Add(y_before, k_1)  z = Neg(y) })")));
}

TEST(UnrollLoop, TheLoopBeforeKeepsItsName) {
  const model::Model model = parse(R"(g (float[2] x, int64 m, bool c) => (float[2] y) {
      [loop] y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) { t = Abs(s) }> })");
  const edit::ValueInfos known = edit::known_value_infos(model);
  const auto unrolled = unroll_to({.model = model, .known = known, .values = {}}, "y", 2);
  ASSERT_TRUE(unrolled.has_value());
  EXPECT_EQ(edit::apply(model, {&unrolled->change}, known).model.graph().node(0).name(), "loop");
}

TEST(UnrollLoop, IfNothingIsCarriedNoLoopRemains) {
  EXPECT_EQ(unrolled_to(3, R"(g (int64 x, int64 m, bool c) => (int64 y) {
      y = Loop (m, c) <body = b (int64 i, bool go) => (bool go, int64 t) { t = Add(x, i) }> })"),
            text(parse("g (int64 x) => (int64 y) <int64 i = {3}> { y = Add(x, i) }")));
}

TEST(UnrollLoop, WhatIsNoLoopIsLeftAlone) {
  EXPECT_EQ(unrolled_to(2, "g (float[2] x) => (float[2] y) { y = Abs(x) }"), "nothing");
}

class UnrollLoopRun : public test::EngineTest {};

TEST_F(UnrollLoopRun, ALoopThatRunsOnceComputesTheSame) {
  const model::Model model = parse(kLoop);
  tensor::NamedTensors feeds;
  feeds.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {-1.5F, 2.25F}));
  feeds.set("m", tensor::Tensor::of<std::int64_t>(tensor::ElementType::int64, {}, {1}));
  feeds.set("c", tensor::Tensor::of<std::uint8_t>(tensor::ElementType::boolean, {}, {1}));
  model::Model opened = apply(unroll_loop, model, {0}, 1);
  opened.graph().mutable_output()->RemoveLast();  // without the dimension along which it was stacked
  expect_same_outputs(model, opened, feeds);
}

TEST_F(UnrollLoopRun, TheLastIterationComputesTheSame) {
  const model::Model model = parse(R"(g (float[2] x, bool c) => (float[2] y) <int64 m = {4}, float[2] k = {1,2}> {
      y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) {
            f = Cast <to = 1> (i)  u = Mul(s, k)  t = Add(u, f) }> })");
  tensor::NamedTensors feeds;
  feeds.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {-1.5F, 2.25F}));
  feeds.set("c", tensor::Tensor::of<std::uint8_t>(tensor::ElementType::boolean, {}, {1}));
  const edit::ValueInfos known = edit::known_value_infos(model);
  const auto unrolled = unroll_to({.model = model, .known = known, .values = {}}, "y", 3);
  ASSERT_TRUE(unrolled.has_value());
  EXPECT_EQ(unrolled->before, "y_before");
  expect_same_outputs(model, edit::apply(model, {&unrolled->change}, known).model, feeds);
}

}  // namespace
}  // namespace assay::reduce

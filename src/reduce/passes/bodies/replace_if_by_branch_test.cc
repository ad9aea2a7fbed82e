#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bodies/body_test_support.h"

namespace assay::reduce {
namespace {

using test::apply;
using test::expect_change;
using test::parse;
using test::text;

constexpr const char* kIf = R"(g (float[2] x, bool c) => (float[2] y) { a = Abs(x)
    b = If (c) <then_branch = t () => (float[2] t) { u = Relu(a)  t = Neg(u) },
                else_branch = e () => (float[2] e) <float[2] k = {1,2}> { e = Add(a, k) }>
    y = Sqrt(b) })";

TEST(ReplaceIfByBranch, EitherBranchTakesTheIfsPlaceWithItsWeights) {
  expect_change(replace_if_by_branch, kIf, 0,
                "g (float[2] x) => (float[2] y) { a = Abs(x)  u = Relu(a)  b = Neg(u)  y = Sqrt(b) }");
  expect_change(replace_if_by_branch, kIf, 1,
                "g (float[2] x) => (float[2] y) <float[2] k = {1,2}> { a = Abs(x)  b = Add(a, k)  y = Sqrt(b) }");
}

TEST(ReplaceIfByBranch, OfBothAtOnceTheFirstIsTaken) {
  const model::Model model = parse(kIf);
  EXPECT_EQ(text(apply(replace_if_by_branch, model, {0, 1}, 1)), text(apply(replace_if_by_branch, model, {0}, 1)));
}

TEST(ReplaceIfByBranch, TheBranchThatARunTookComesFirst) {
  tensor::NamedTensors values;
  values.set("c", tensor::Tensor::of<std::uint8_t>(tensor::ElementType::boolean, {}, {0}));
  EXPECT_EQ(test::propose(replace_if_by_branch, parse(kIf), values).front().what, "If 'b' replaced by its else branch");
  values.set("c", tensor::Tensor::of<std::uint8_t>(tensor::ElementType::boolean, {}, {1}));
  EXPECT_EQ(test::propose(replace_if_by_branch, parse(kIf), values).front().what, "If 'b' replaced by its then branch");
}

TEST(ReplaceIfByBranch, TheBranchThatAConstantTakesComesFirst) {
  const std::string before = R"(g (float[2] x) => (float[2] y) <bool c = {0}> {
      y = If (c) <then_branch = t () => (float[2] t) { t = Neg(x) }, else_branch = e () => (float[2] e) { e = Abs(x) }>
    })";
  expect_change(replace_if_by_branch, before, 0, "g (float[2] x) => (float[2] y) { y = Abs(x) }");
}

TEST(ReplaceIfByBranch, OnlyTheBranchThatIsKnownToBeTakenKeepsValues) {
  const model::Model model = parse(kIf);
  const edit::ValueInfos known = edit::known_value_infos(model);
  tensor::NamedTensors values;
  const PassInput input{.model = model, .known = known, .values = values, .keeps_values = true};
  EXPECT_THAT(replace_if_by_branch(input), testing::IsEmpty());
  values.set("c", tensor::Tensor::of<std::uint8_t>(tensor::ElementType::boolean, {}, {0}));
  const auto changes = replace_if_by_branch(input);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].what, "If 'b' replaced by its else branch");
}

TEST(ReplaceIfByBranch, NamesThatOthersHaveTooBecomeUnique) {
  const model::Model model = parse(R"(g (float[2] x, bool c) => (float[2] y, float[2] z) {
      y = If (c) <then_branch = t () => (float[2] r) { u = Relu(x)  r = Neg(u) },
                  else_branch = e () => (float[2] e) { e = Exp(x) }>
      z = If (c) <then_branch = t () => (float[2] r) { u = Abs(x)  r = Neg(u) },
                  else_branch = e () => (float[2] e) { e = Sin(x) }> })");
  EXPECT_EQ(text(apply(replace_if_by_branch, model, {0, 2}, 2)),
            text(parse(R"(g (float[2] x) => (float[2] y, float[2] z) {
                          u_1 = Relu(x)  y = Neg(u_1)  u_2 = Abs(x)  z = Neg(u_2) })")));
  for (const std::vector<std::size_t>& subset : {std::vector<std::size_t>{0}, {1}, {2}, {3}, {0, 3}, {1, 2}, {3, 1}}) {
    apply(replace_if_by_branch, model, subset, static_cast<int>(subset.size()));
  }
}

TEST(ReplaceIfByBranch, WhatTheBranchDoesNotMakeItselfComesThroughAnIdentity) {
  expect_change(replace_if_by_branch, R"(g (float[2] x, bool c) => (float[2] y, float[2] z, float[2] v) { a = Abs(x)
      y, z, v = If (c) <then_branch = t () => (float[2] r, float[2] r, float[2] k) <float[2] k = {1,2}> { r = Relu(a) },
                        else_branch = e () => (float[2] e, float[2] f, float[2] h) { e = Exp(a)  f = Sin(a)
                                                                                    h = Cos(a) }> })",
                0, R"(g (float[2] x) => (float[2] y, float[2] z, float[2] v) <float[2] k = {1,2}> {
                      a = Abs(x)  y = Relu(a)  z = Identity(y)  v = Identity(k) })");
}

TEST(ReplaceIfByBranch, AnIfInABodyIsReplacedThere) {
  const std::string before = R"(g (float[2] x, bool c, bool d) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) {
                    s = Abs(x)
                    t = If (d) <then_branch = a () => (float[2] p) { q = Neg(s)  p = Exp(q) },
                                else_branch = b () => (float[2] o) { o = Sin(s) }> },
                  else_branch = e () => (float[2] e) { e = Exp(x) }> })";
  expect_change(replace_if_by_branch, before, 2, R"(g (float[2] x, bool c) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] t) { s = Abs(x)  q = Neg(s)  t = Exp(q) },
                  else_branch = e () => (float[2] e) { e = Exp(x) }> })");
  apply(replace_if_by_branch, parse(before), {0, 2}, 1);
  apply(replace_if_by_branch, parse(before), {2, 0}, 2);
}

class ReplaceIfByBranchRun : public test::EngineTest {};

TEST_F(ReplaceIfByBranchRun, TheTakenBranchComputesWhatTheIfDid) {
  const model::Model model = parse(kIf);
  for (const std::uint8_t condition : {std::uint8_t{0}, std::uint8_t{1}}) {
    tensor::NamedTensors feeds;
    feeds.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {-1.5F, 2.25F}));
    feeds.set("c", tensor::Tensor::of<std::uint8_t>(tensor::ElementType::boolean, {}, {condition}));
    expect_same_outputs(model, apply(replace_if_by_branch, model, {0}, 1, feeds), feeds);
  }
}

}  // namespace
}  // namespace assay::reduce

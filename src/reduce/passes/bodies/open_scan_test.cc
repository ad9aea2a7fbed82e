#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bodies/body_test_support.h"

namespace assay::reduce {
namespace {

using test::apply;
using test::expect_change;
using test::parse;
using test::text;

constexpr const char* kScan = R"(g (float[2] h, float[3,2] x) => (float[2] y, float[3,2] z) {
    y, z = Scan <num_scan_inputs = 1, body = b (float[2] s, float[2] v) => (float[2] t, float[2] u)
                 <float[2] k = {1,2}> { t = Add(s, v)  u = Mul(t, k) }> (h, x) })";

TEST(OpenScan, ASliceIsTakenFromTheTensorFirst) {
  expect_change(open_scan, kScan, 0, R"(g (float[2] h, float[3,2] x) => (float[2] y, float[2] z)
      <int64 v_index = {0}, float[2] k = {1,2}> { v = Gather <axis = 0> (x, v_index)  y = Add(h, v)  z = Mul(y, k) })");
}

TEST(OpenScan, ThenASliceIsAnInput) {
  expect_change(open_scan, kScan, 1, R"(g (float[2] h, float[2] v_1) => (float[2] y, float[2] z)
      <float[2] k_1 = {1,2}> { y = Add(h, v_1)  z = Mul(y, k_1) })");
}

TEST(OpenScan, ARecordedValueIsCutToTheSliceThatTheFirstStepSees) {
  tensor::NamedTensors values;
  values.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2, 3}, {1, 2, 3, 4, 5, 6}));
  const model::Model model = parse(R"(g (float[2] h, float[2,3] x) => (float[2] y) {
      y = Scan <num_scan_inputs = 1, scan_input_axes = [-1], scan_input_directions = [1],
                body = b (float[2] s, float[2] v) => (float[2] t) { t = Add(s, v) }> (h, x) })");
  ASSERT_EQ(test::propose(open_scan, model, values).size(), 3);
  EXPECT_EQ(text(apply(open_scan, model, {2}, 1, values)),
            text(parse("g (float[2] h) => (float[2] y) <float[2] v_2 = {3,6}> { y = Add(h, v_2) }")));
}

TEST(OpenScan, AConstantThatIsScannedIsCut) {
  const std::string before = R"(g (float[2] h) => (float[2] y) <float[3,2] x = {1,2,3,4,5,6}> {
      y = Scan <num_scan_inputs = 1, body = b (float[2] s, float[2] v) => (float[2] t) { t = Add(s, v) }> (h, x) })";
  expect_change(open_scan, before, 0, "g (float[2] h) => (float[2] y) <float[2] v = {1,2}> { y = Add(h, v) }");
  EXPECT_EQ(test::propose(open_scan, parse(before)).size(), 1);
}

TEST(OpenScan, TheConstantCanBeANode) {
  const std::string before = R"(g (float[2] h) => (float[2] y) { x = Constant <value = float[2,2] {1,2,3,4}> ()
      y = Scan <num_scan_inputs = 1, body = b (float[2] s, float[2] v) => (float[2] t) { t = Add(s, v) }> (h, x) })";
  expect_change(open_scan, before, 0, "g (float[2] h) => (float[2] y) <float[2] v = {1,2}> { y = Add(h, v) }");
  EXPECT_EQ(test::propose(open_scan, parse(before)).size(), 1);
}

TEST(OpenScan, WhatIsReadFurtherOnGetsItsAxisBack) {
  expect_change(open_scan, R"(g (float[3,2] x) => (float[2,3] w) {
      z = Scan <num_scan_inputs = 1, scan_output_axes = [1], body = b (float[2] v) => (float[2] u) { u = Neg(v) }> (x)
      w = Abs(z) })",
                1, R"(g (float[2] v_1) => (float[?,?] w) <int64[1] z_axes_1 = {1}> {
      z_slice_1 = Neg(v_1)  z = Unsqueeze(z_slice_1, z_axes_1)  w = Abs(z) })");
}

// Three steps were stacked, and one is left.
TEST(OpenScan, SizesBehindAFixedNumberOfStepsBecomeOpen) {
  expect_change(
      open_scan, R"(g (float[3,2] x) => (float[2,3] w, float[3,2] a) <float[2,3] z> {
      z = Scan <num_scan_inputs = 1, scan_output_axes = [1], body = b (float[2] v) => (float[2] u) { u = Neg(v) }> (x)
      w = Abs(z)  a = Abs(x) })",
      1, R"(g (float[3,2] x, float[2] v_1) => (float[?,?] w, float[3,2] a) <float[?,?] z, int64[1] z_axes_1 = {1}> {
      z_slice_1 = Neg(v_1)  z = Unsqueeze(z_slice_1, z_axes_1)  w = Abs(z)  a = Abs(x) })");
}

TEST(OpenScan, AScanThatBreaksTheRulesIsLeftAlone) {
  model::Model model = parse(kScan);
  model.graph().mutable_node(0)->mutable_input()->RemoveLast();
  EXPECT_TRUE(test::propose(open_scan, model).empty());
}

TEST(OpenScan, AnySubsetIsValid) {
  test::expect_any_subset_valid(open_scan, parse(R"(g (float[2] h, float[3,2] x) => (float[2] y, float[3,2] w) {
    y, z = Scan <num_scan_inputs = 1, body = b (float[2] s, float[2] v) => (float[2] t, float[2] u) {
                   t = Add(s, v)
                   u = Scan <num_scan_inputs = 1, body = c (float p) => (float q) { q = Neg(p) }> (t) }> (h, x)
    w = Abs(z) })"));
}

class OpenScanRun : public test::EngineTest {};

TEST_F(OpenScanRun, AScanOfOneStepComputesTheSame) {
  const model::Model model = parse(R"(g (float[2] h, float[1,2] x) => (float[2] y, float[2,1] w) {
    y, z = Scan <num_scan_inputs = 1, scan_output_axes = [1],
                 body = b (float[2] s, float[2] v) => (float[2] t, float[2] u) { t = Add(s, v)  u = Neg(t) }> (h, x)
    w = Abs(z) })");
  tensor::NamedTensors feeds;
  feeds.set("h", tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {-1.5F, 2.25F}));
  feeds.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {1, 2}, {3, -4}));
  expect_same_outputs(model, apply(open_scan, model, {0}, 1), feeds, 2);
  expect_same_outputs(model, apply(open_scan, model, {2}, 1, feeds), feeds, 2);
}

}  // namespace
}  // namespace assay::reduce

#include "reduce/passes/bodies/body_passes.h"
#include "reduce/passes/bodies/body_test_support.h"

namespace assay::reduce {
namespace {

using test::expect_change;
using test::expect_nothing;
using test::parse;

TEST(DropBodyOutputs, OfBothBranchesOfAnIf) {
  expect_change(drop_body_outputs, R"(g (float[2] x, bool c) => (float[2] z) {
      y, z = If (c) <then_branch = t () => (float[2] t, float[2] u) { t = Neg(x)  u = Abs(x) },
                     else_branch = e () => (float[2] e, float[2] f) { e = Exp(x)  f = Sin(x) }> })",
                0, R"(g (float[2] x, bool c) => (float[2] z) {
      z = If (c) <then_branch = t () => (float[2] u) { t = Neg(x)  u = Abs(x) },
                  else_branch = e () => (float[2] f) { e = Exp(x)  f = Sin(x) }> })");
}

TEST(DropBodyOutputs, CarriedValuesThatNothingReadsAreDroppedToo) {
  expect_change(drop_body_outputs, R"(g (float[2] x, float[2] v, int64 m, bool c) => (float[2] y) {
      y, z = Loop (m, c, x, v) <body = b (int64 i, bool go, float[2] s, float[2] q)
                                          => (bool go, float[2] t, float[2] r) { t = Add(s, q)  r = Neg(q) }> })",
                0, R"(g (float[2] x, float[2] v, int64 m, bool c) => (float[2] y) {
      y = Loop (m, c, x) <body = b (int64 i, bool go, float[2] s) => (bool go, float[2] t) {
                            t = Add(s, v)  r = Neg(v) }> })");
}

TEST(DropBodyOutputs, OfAScanWithItsAxesAndWhatItScansForNothing) {
  expect_change(drop_body_outputs, R"(g (float[2] h, float[3,2] x, float[2,3] w) => (float[2,3] z) {
      y, u, z = Scan <num_scan_inputs = 2, scan_input_axes = [0, 1], scan_output_axes = [0, 1],
                      body = b (float[2] s, float[2] e, float[2] f) => (float[2] t, float[2] a, float[2] d) {
                         t = Add(s, f)  a = Neg(f)  d = Abs(f) }> (h, x, w) })",
                0, R"(g (float[2] h, float[2,3] w) => (float[2,3] z) {
      z = Scan <num_scan_inputs = 1, scan_input_axes = [1], scan_output_axes = [1], body = b (float[2] f) => (float[2] d)
                { t = Add(h, f)  a = Neg(f)  d = Abs(f) }> (w) })");
}

TEST(DropBodyOutputs, TheLastOutputStays) {
  expect_nothing(drop_body_outputs, R"(g (float[2] x, bool c) => (float[2] z) { z = Abs(x)
      y = If (c) <then_branch = t () => (float[2] t) { t = Neg(x) }, else_branch = e () => (float[2] e) { e = Exp(x) }>
      })");
}

TEST(DropBodyOutputs, NotWhatTheBodyGivesBackInAnotherPlace) {
  expect_nothing(drop_body_outputs, R"(g (float[2] x, float[2] v, int64 m, bool c) => (float[2] y) {
      y, z = Loop (m, c, x, v) <body = b (int64 i, bool go, float[2] s, float[2] q) => (bool go, float[2] q, float[2] r)
                                { r = Neg(s) }> })");
}

TEST(DropBodyOutputs, AnySubsetIsValid) {
  test::expect_any_subset_valid(drop_body_outputs, parse(R"(g (float[2] x, float[3,2] v) => (float[2] y) {
      y, z, w = Scan <num_scan_inputs = 1, body = b (float[2] s, float[2] r) => (float[2] t, float[2] a, float[2] d) {
                        t = Add(s, r)  a = Abs(t)  d = Neg(a) }> (x, v) })"));
}

class DropBodyOutputsRun : public test::EngineTest {};

TEST_F(DropBodyOutputsRun, TheRestComputesTheSame) {
  const model::Model model = parse(R"(g (float[2] h, float[3,2] x, float[2,3] w) => (float[2,3] z) {
      y, u, z = Scan <num_scan_inputs = 2, scan_input_axes = [0, 1], scan_output_axes = [0, 1],
                      body = b (float[2] s, float[2] e, float[2] f) => (float[2] t, float[2] a, float[2] d) {
                         t = Add(s, f)  a = Neg(e)  d = Abs(f) }> (h, x, w) })");
  tensor::NamedTensors feeds;
  const auto value = [](tensor::Shape shape, const std::vector<float>& values) {
    return tensor::Tensor::of<float>(tensor::ElementType::float32, std::move(shape), values);
  };
  feeds.set("h", value({2}, {1, 2}));
  feeds.set("x", value({3, 2}, {1, -2, 3, 4, 5, 6}));
  feeds.set("w", value({2, 3}, {-1, -2, 3, 4, -5, 6}));
  expect_same_outputs(model, test::apply(drop_body_outputs, model, {0}, 1), feeds);
}

}  // namespace
}  // namespace assay::reduce

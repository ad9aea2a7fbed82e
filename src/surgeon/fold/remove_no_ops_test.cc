#include "surgeon/fold/remove_no_ops.h"

#include "model/inference/infer_shapes.h"
#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

constexpr auto kHeader = "ir_version: 8, opset_import: [\"\" : 17]";

std::string after(const std::string& body, const std::string& header = kHeader) {
  model::Model model = parse(body, header);
  EXPECT_TRUE(model::infer_shapes(model));
  remove_no_ops(model);
  return text(model);
}

void expect_unchanged(const std::string& body, const std::string& header = kHeader) {
  EXPECT_EQ(after(body, header), text(parse(body, header)));
}

TEST(RemoveNoOps, ReadersReadWhatTheNodesRead) {
  const std::string head = R"(g (float[2,3] x) => (float[2,3] y)
      <int64[2] s = {-1,3}, int64[1] one = {1}, int64[1] zero = {0}, int64[1] end = {3}> )";
  EXPECT_EQ(after(head + R"({ a = Identity(x)  b = Dropout(a)  c = Cast <to = 1> (b)  d = Reshape(c, s)
                              e = Transpose <perm = [0, 1]> (d)  f = Sum(e)  h = Concat <axis = 0> (f)
                              i = Slice(h, zero, end, one, one)  j = Flatten(i)  y = Relu(j) })"),
            text(parse(head + "{ y = Relu(x) }")));
}

TEST(RemoveNoOps, WhatChangesValuesStays) {
  expect_unchanged(R"(g (float[2,3] x, float[N] n) => (double[3,2] y, float[3] z) <int64[1] s = {3}> {
                      a = Relu(x)  b = Sum(a, x)  c = Cast <to = 11> (b)  y = Transpose(c)
                      m = Reshape(n, s)  z = Neg(m) })");
}

TEST(RemoveNoOps, ASliceThatReversesStays) {
  expect_unchanged(R"(g (float[3] x) => (float[3] y) <int64[1] a = {-1}, int64[1] b = {-9}, int64[1] t = {-1},
                      int64[1] i = {0}> { s = Slice(x, a, b, i, t)  y = Neg(s) })");
}

TEST(RemoveNoOps, ADropoutInTrainingStays) {
  constexpr auto kTraining = R"(g (float[3] x) => (float[3] y) <float r = {0.5}, bool t = {1}> {
                                d = Dropout(x, r, t)  y = Neg(d) })";
  expect_unchanged(kTraining);
  constexpr auto kOld = "ir_version: 8, opset_import: [\"\" : 6]";
  expect_unchanged("g (float[3] x) => (float[3] y) { d = Dropout(x)  y = Neg(d) }", kOld);
  expect_unchanged("g (float[3] x) => (float[3] y, bool[3] k) { d, m = Dropout(x)  y = Neg(d)  k = Not(m) }");
}

TEST(RemoveNoOps, OutputsKeepTheirNames) {
  expect_unchanged("g (float[3] x) => (float[3] y, float[3] z) { z = Neg(x)  y = Identity(z) }");
}

TEST(RemoveNoOps, LooksIntoBodies) {
  EXPECT_EQ(after(R"(g (float[2] x, bool c) => (float[2] y) { o = Identity(x)  y = If (c) <
                     then_branch = t () => (float[2] b) { a = Identity(o)  b = Relu(a) },
                     else_branch = e () => (float[2] e) { e = Exp(o) }> })"),
            text(parse(R"(g (float[2] x, bool c) => (float[2] y) { y = If (c) <
                     then_branch = t () => (float[2] b) { b = Relu(x) },
                     else_branch = e () => (float[2] e) { e = Exp(x) }> })")));
}

// Invalid in ONNX, but there are such models: in the body, x is another tensor.
TEST(RemoveNoOps, ABodyThatHidesTheTensorReadsTheRightOne) {
  expect_unchanged(R"(g (float[2] x, bool c) => (float[2] y) { o = Identity(x)  y = If (c) <
                      then_branch = t () => (float[2] b) { x = Neg(o)  b = Add(o, x) },
                      else_branch = e () => (float[2] e) { e = Exp(o) }> })");
}

TEST(RemoveNoOps, ACycleIsLeftAlone) {
  model::Model model = parse("g (float[2] x) => (float[2] y) { a = Identity(b)  b = Identity(a)  y = Add(x, b) }");
  EXPECT_EQ(remove_no_ops(model), 1);
  EXPECT_EQ(model.graph().node_size(), 2);
}

}  // namespace
}  // namespace assay::surgeon

#include "reduce/passes/node_passes.h"
#include "reduce/passes/pass_test_support.h"

namespace assay::reduce {
namespace {

TEST(BypassNodes, IfTypeAndShapeAreThoseOfAnInput) {
  test::expect_each(
      bypass_nodes,
      R"(g (float[2,3] x) => (float[3,2] y) <float[3] w = {1,2,3}> {
                       a = Add(w, x)  b = Transpose(a)  y = Pow(b, b) })",
      {R"(g (float[2,3] x) => (float[3,2] y) { b = Transpose(x)  y = Pow(b, b) })",
       R"(g (float[2,3] x) => (float[3,2] b) <float[3] w = {1,2,3}> { a = Add(w, x)  b = Transpose(a) })"});
}

TEST(BypassNodes, ManyAtOnce) {
  test::expect_all(bypass_nodes,
                   "g (float[2] x) => (float[2] y) { a = Abs(x)  b = Neg(a)  c = Add(a, b)  i = Cast <to = 7> (c)  y = "
                   "Cast <to = 1> (i) }",
                   "g (float[2] x) => (float[2] y) { i = Cast <to = 7> (x)  y = Cast <to = 1> (i) }");
}

TEST(BypassNodes, OperatorsThatKeepTheShapeNeedNoKnownOne) {
  test::expect_all(bypass_nodes,
                   R"(g (float[N] x, int64[K] s) => (int64[R] y) {
                      a = Reshape(x, s)  b = Softmax(a)  y = Shape(b) })",
                   "g (float[N] x, int64[K] s) => (int64[R] y) { a = Reshape(x, s)  y = Shape(a) }");
}

TEST(BypassNodes, WhatWasAlikeInTheRecordedRunMayStandInForIt) {
  tensor::NamedTensors values;
  for (const std::string name : {"a", "b"}) {
    values.set(name, tensor::Tensor::of<float>(tensor::ElementType::float32, {2}, {1, 2}));
  }
  test::expect_all(
      bypass_nodes,
      test::parse("g (float[N] x, int64[1] s) => (int64[1] y) { a = Expand(x, s)  b = Tile(a, s)  y = Shape(b) }"),
      test::parse("g (float[N] x, int64[1] s) => (int64[1] y) { a = Expand(x, s)  y = Shape(a) }"), values);
}

TEST(BypassNodes, SizesAndIndicesComeLast) {
  test::expect_each(
      bypass_nodes,
      "g (float[2] x, int64[2] s) => (float[K] y, float[2] z) { t = Abs(s)  y = Reshape(x, t)  z = Neg(x) }",
      {"g (float[2] x, int64[2] s) => (float[K] y) { t = Abs(s)  y = Reshape(x, t) }",
       "g (float[2] x, int64[2] s) => (float[K] y, float[2] z) { y = Reshape(x, s)  z = Neg(x) }"});
}

TEST(BypassNodes, OperatorsOnSequences) {
  test::expect_all(bypass_nodes,
                   R"(g (float[2] x, float[3] y, int64 i) => (float[N] z) {
                      a = SequenceConstruct(x, y)  b = SequenceInsert(a, x)  c = SequenceErase(b, i)
                      z = SequenceAt(c, i) })",
                   R"(g (float[2] x, float[3] y, int64 i) => (float[N] z) {
                      a = SequenceConstruct(x, y)  z = SequenceAt(a, i) })");
}

TEST(BypassNodes, SequencesAreAlikeIfTheirTensorsHaveTheSameElementType) {
  const std::string graph = R"(g (float[2] x, float[3] y, bool c, int64 i) => (float[N] z) {
      a = SequenceConstruct(x, x)
      b = Loop (i, c, a) <body = d (int64 n, bool go, seq(float[N]) s) => (bool go, seq(float[N]) t) {
            t = SequenceInsert(s, y) }>
      z = SequenceAt(b, i) })";
  test::expect_all(bypass_nodes, graph, R"(g (float[2] x, int64 i) => (float[N] z) {
      a = SequenceConstruct(x, x)  z = SequenceAt(a, i) })");
}

TEST(BypassNodes, AnInputDoesNotBecomeAnOutput) {
  test::expect_all(bypass_nodes, "g (float[2] x) => (float[2] y, int64[1] s) { y = Neg(x)  s = Shape(x) }",
                   "g (float[2] x) => (int64[1] s) { s = Shape(x) }");
}

TEST(BypassNodes, NotIfTwoOutputsAreUsed) {
  test::expect_nothing(bypass_nodes, "g (float[2] x) => (float[2] y, bool[2] m) { y, m = Dropout(x) }");
}

TEST(BypassNodes, NotIfTheElementTypesDiffer) {
  test::expect_nothing(bypass_nodes, "g (float[2] x) => (int64[2] y) { y = Cast <to = 7> (x) }");
}

}  // namespace
}  // namespace assay::reduce

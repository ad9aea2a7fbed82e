#include "surgeon/fold/merge_duplicates.h"

#include "surgeon/graph/test_models.h"

namespace assay::surgeon {
namespace {

std::string after(const std::string& body) {
  model::Model model = parse(body);
  merge_duplicates(model);
  return text(model);
}

void expect_unchanged(const std::string& body) {
  EXPECT_EQ(after(body), text(parse(body)));
}

TEST(MergeDuplicates, WholeChainsAreMerged) {
  EXPECT_EQ(after(R"(g (float[N,M] x) => (int64 y) <int64 i = {0}, int64 j = {0}> {
                     s = Shape(x)  p = Gather <axis = 0> (s, i)  t = Shape(x)  q = Gather <axis = 0> (t, j)
                     y = Mul(p, q) })"),
            text(parse(R"(g (float[N,M] x) => (int64 y) <int64 i = {0}> {
                     s = Shape(x)  p = Gather <axis = 0> (s, i)  y = Mul(p, p) })")));
}

TEST(MergeDuplicates, DifferentNodesStay) {
  expect_unchanged(R"(g (float[2,2] x, float[2,2] z) => (float[2,2] y) {
      a = Sub(x, z)  b = Sub(z, x)  c = Elu <alpha = 0.5> (a)  d = Elu <alpha = 0.25> (a)  e = Neg(b)  f = Abs(b)
      y = Sum(a, b, c, d, e, f) })");
}

TEST(MergeDuplicates, RandomNumbersQuantizationAndBodiesStay) {
  expect_unchanged(R"(g (float[2] x, bool c) => (float[2] y) <float s = {0.5}, uint8 z = {3}> {
      a = RandomNormalLike(x)  b = RandomNormalLike(x)  d = QuantizeLinear(x, s, z)  e = QuantizeLinear(x, s, z)
      f = DequantizeLinear(d, s, z)  h = DequantizeLinear(e, s, z)
      i = If (c) <then_branch = t () => (float[2] p) { p = Neg(x) }, else_branch = u () => (float[2] q) { q = Exp(x) }>
      j = If (c) <then_branch = t () => (float[2] p) { p = Neg(x) }, else_branch = u () => (float[2] q) { q = Exp(x) }>
      y = Sum(a, b, f, h, i, j) })");
}

TEST(MergeDuplicates, OutputsKeepTheirNames) {
  expect_unchanged("g (float[2] x) => (float[2] y, float[2] z) { y = Neg(x)  z = Neg(x) }");
  // The first output could be merged, but not the second one.
  expect_unchanged(R"(g (float[4] x) => (float[2] y, float[2] d) {
      a, b = Split <axis = 0> (x)  c, d = Split <axis = 0> (x)  y = Sum(a, b, c) })");
}

TEST(MergeDuplicates, ValuesThatCallersMaySetStay) {
  expect_unchanged(R"(g (float[2] x, float[2] w) => (float[2] y) <float[2] w = {1,2}, float[2] v = {1,2}> {
      a = Add(x, w)  b = Add(x, v)  y = Mul(a, b) })");
}

TEST(MergeDuplicates, EqualWeightsAreMerged) {
  EXPECT_EQ(after("g (float[2] x) => (float[2] y) <float[2] v = {1,2}, float[2] w = {1,2}, int32[2] i = {1,2}> "
                  "{ a = Add(x, v)  b = Mul(a, w)  c = Cast <to = 1> (i)  y = Sum(b, c) }"),
            text(parse("g (float[2] x) => (float[2] y) <float[2] v = {1,2}, int32[2] i = {1,2}> "
                       "{ a = Add(x, v)  b = Mul(a, v)  c = Cast <to = 1> (i)  y = Sum(b, c) }")));
}

TEST(MergeDuplicates, OperatorsOfOtherDomainsStayUnlessTheyAreFunctions) {
  expect_unchanged("g (float[2] x) => (float[2] y) { a = test.Custom(x)  b = test.Custom(x)  y = Add(a, b) }");
  constexpr auto kFunction = "<domain: \"test\", opset_import: [\"\" : 17]> F (a) => (b) { b = Neg(a) }";
  model::Model model = parse(
      std::string("g (float[2] x) => (float[2] y) { a = test.F(x)  b = test.F(x)  y = Add(a, b) }\n") + kFunction);
  EXPECT_EQ(merge_duplicates(model), 1);
}

TEST(MergeDuplicates, BodiesAreMergedByThemselves) {
  EXPECT_EQ(after(R"(g (float[2] x, bool c) => (float[2] y) { y = If (c) <
                     then_branch = t () => (float[2] p) { a = Neg(x)  b = Neg(x)  p = Add(a, b) },
                     else_branch = e () => (float[2] q) { a2 = Neg(x)  q = Exp(a2) }> })"),
            text(parse(R"(g (float[2] x, bool c) => (float[2] y) { y = If (c) <
                     then_branch = t () => (float[2] p) { a = Neg(x)  p = Add(a, a) },
                     else_branch = e () => (float[2] q) { a2 = Neg(x)  q = Exp(a2) }> })")));
}

}  // namespace
}  // namespace assay::surgeon

#include "model/inference/unbounded_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/load.h"

namespace assay::model {
namespace {

std::vector<std::string> found(const std::string& body) {
  const Model model = parse_text("<ir_version: 8, opset_import: [\"\" : 17]>\n" + body).value();
  std::vector<std::string> names;
  for (const UnboundedSize& size : find_unbounded_sizes(GraphView(model.graph()))) names.push_back(size.tensor);
  return names;
}

using testing::ElementsAre;
using testing::IsEmpty;

TEST(UnboundedSizes, AComputedLimitOfARangeIsOne) {
  EXPECT_THAT(found("g (float[4] q) => (int64[K] y) <int64 z = {0}, int64 one = {1}> {\n"
                    "  m = ReduceMax <keepdims = 0> (q)  n = Cast <to = 7> (m)  y = Range(z, n, one) }"),
              ElementsAre("n"));
}

TEST(UnboundedSizes, CountsThoseOfUnknownShapes) {
  const Model model = parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] q) => (int64[K] y) <int64 z = {0}, int64 one = {1}> {
      m = ReduceMax <keepdims = 0> (q)  n = Cast <to = 7> (m)  r = Range(z, n, one)  y = Neg(r) })")
                          .value();
  EXPECT_THAT(find_unbounded_sizes(GraphView(model.graph())), IsEmpty());
  EXPECT_EQ(count_unknown_sizes(GraphView(model.graph())), 1U);
}

TEST(UnboundedSizes, RespectsExistingBounds) {
  EXPECT_THAT(found("g (float[4] q) => (int64[K] y) <int64 z = {0}, int64 one = {1}, int64 ten = {10}> {\n"
                    "  m = ReduceMax <keepdims = 0> (q)  n = Cast <to = 7> (m)  b = Min(n, ten)\n"
                    "  y = Range(z, b, one) }"),
              IsEmpty());
}

TEST(UnboundedSizes, AnInputOfTheModelIsNotCounted) {
  EXPECT_THAT(found("g (int64 n) => (int64[K] y) <int64 z = {0}, int64 one = {1}> { y = Range(z, n, one) }"),
              IsEmpty());
}

TEST(UnboundedSizes, ADimensionThatIsKnownElsewhereIsNotNew) {
  EXPECT_THAT(found("g (float[K] q) => (int64[K] y) <int64 z = {0}, int64 one = {1}> {\n"
                    "  s = Size(q)  n = Identity(s)  y = Range(z, n, one) }"),
              IsEmpty());
  EXPECT_THAT(found("g (float[4] q) => (int64[4] y) <int64 z = {0}, int64 one = {1}> {\n"
                    "  s = Size(q)  n = Identity(s)  y = Range(z, n, one) }"),
              IsEmpty());
}

TEST(UnboundedSizes, ListsATensorOnceAndInTheOrderOfTheNodes) {
  EXPECT_THAT(found("g (float[4] q, float[1] v) => (float[A] a, float[B] b, int64[C] c)\n"
                    "  <int64 z = {0}, int64 one = {1}, int64[1] axis = {0}> {\n"
                    "  s = Size(q)  n = Identity(s)  l = Unsqueeze(n, axis)\n"
                    "  a = Expand(v, l)  b = Tile(v, l)  c = Range(z, n, one) }"),
              ElementsAre("l", "n"));
}

TEST(UnboundedSizes, AResizeIsDecidedByItsSizes) {
  EXPECT_THAT(found("g (float[1,1,4] x, float[3] q) => (float[1,1,W] y) {\n"
                    "  s = Cast <to = 7> (q)  y = Resize(x, , , s) }"),
              ElementsAre("s"));
}

}  // namespace
}  // namespace assay::model

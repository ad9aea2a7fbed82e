#include "model/weights/multiplied_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "model/load.h"

namespace assay::model {
namespace {

using testing::ElementsAre;

// Returns "NAME AXIS" for each weight that is found.
std::vector<std::string> found(const std::string& body) {
  const Model model = parse_text("<ir_version: 8, opset_import: [\"\" : 17]>\n" + body).value();
  const GraphView view(model.graph());
  std::vector<std::string> names;
  for (const MultipliedWeight& weight : find_multiplied_weights(view)) {
    names.push_back(fmt::format("{} {}", weight.weight->name(), weight.axis));
  }
  return names;
}

TEST(MultipliedWeights, FindsTheAxisThatIsSummedOver) {
  EXPECT_THAT(found("g (float[1,2,4,4] x) => (float y) <float[2,2,1,1] w = {1,2,3,4}> { y = Conv(x, w) }"),
              ElementsAre("w 1"));
  EXPECT_THAT(found("g (float[1,2] x) => (float y) <float[2,2] w = {1,2,3,4}> { y = MatMul(x, w) }"),
              ElementsAre("w 0"));
  EXPECT_THAT(found("g (float[2,1] x) => (float y) <float[2,2] w = {1,2,3,4}> { y = MatMul(w, x) }"),
              ElementsAre("w 1"));
  EXPECT_THAT(found("g (float[1,2] x) => (float y) <float[2,2] w = {1,2,3,4}> { y = Gemm<transB = 1>(x, w) }"),
              ElementsAre("w 1"));
  EXPECT_THAT(found("g (float[1,2] x) => (float y) <float[2,2] w = {1,2,3,4}> { y = Gemm<transA = 1>(w, x) }"),
              ElementsAre("w 0"));
}

TEST(MultipliedWeights, AStackOfMatricesHasItsAxisAtTheEnd) {
  EXPECT_THAT(found("g (float[3,1,2] x) => (float y) <float[3,2,1] w = {1,2,3,4,5,6}> { y = MatMul(x, w) }"),
              ElementsAre("w 1"));
  EXPECT_THAT(found("g (float[1,2] x) => (float y) <float[2] w = {1,2}> { y = MatMul(x, w) }"), ElementsAre("w 0"));
}

TEST(MultipliedWeights, LooksThroughCastsAndTransposes) {
  EXPECT_THAT(found("g (float[1,2] x) => (float y) <float[3,2] w = {1,2,3,4,5,6}> {"
                    " t = Transpose<perm = [1, 0]>(w) c = Cast<to = 1>(t) y = MatMul(x, c) }"),
              ElementsAre("w 1"));
  EXPECT_THAT(found("g (float[1,2] x) => (float y) <float[2,2] w = {1,2,3,4}> { r = Relu(w) y = MatMul(x, r) }"),
              ElementsAre());
}

TEST(MultipliedWeights, NamesAWeightOncePerAxis) {
  EXPECT_THAT(found("g (float[2,2] x) => (float y, float z, float u) <float[2,2] w = {1,2,3,4}> {"
                    " y = MatMul(x, w) z = MatMul(x, w) u = MatMul(w, x) }"),
              ElementsAre("w 0", "w 1"));
}

TEST(MultipliedWeights, ACycleEnds) {
  EXPECT_THAT(found("g (float[2,2] x) => (float y) { a = Cast<to = 1>(b) b = Cast<to = 1>(a) y = MatMul(x, a) }"),
              ElementsAre());
}

}  // namespace
}  // namespace assay::model

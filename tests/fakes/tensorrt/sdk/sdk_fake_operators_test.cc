// The operators of operators/, compared with ONNX's reference in numbers that were computed by NumPy.
#include <gmock/gmock.h>

#include "sdk_fake_support.h"

namespace fake_tensorrt {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::Pointwise;

class Operators : public SdkFake {
 protected:
  // Runs a model with one input x and one output y of float32.
  std::vector<float> run(const char* model, std::vector<float> x, std::size_t count) {
    start();
    EXPECT_TRUE(parse(model)) << log_.errors;
    EXPECT_TRUE(load(build())) << log_.errors;
    if (context_ == nullptr) return {};
    std::vector<float> y(count);
    EXPECT_TRUE(context_->setTensorAddress("x", x.data()));
    EXPECT_TRUE(context_->setTensorAddress("y", y.data()));
    EXPECT_TRUE(context_->enqueueV3(nullptr)) << log_.errors;
    return y;
  }
};

TEST_F(Operators, MoveAWindow) {
  EXPECT_THAT(run(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 1, 3, 3] x) => (float[1, 1, 2, 2] y) <float[1, 1, 2, 2] w = {1, 2, 3, 4}, float[1] b = {10}> {
      y = Conv(x, w, b) })",
                  {1, 2, 3, 4, 5, 6, 7, 8, 9}, 4),
              ElementsAre(47, 57, 77, 87));
  EXPECT_THAT(run(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 2, 2, 2] x) => (float[1, 2, 1, 1] y) <float[2, 1, 3, 3] w = {
      0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0}> {
      y = Conv <group = 2, pads = [1, 1, 1, 1], strides = [2, 2]> (x, w) })",
                  {1, 2, 3, 4, 5, 6, 7, 8}, 2),
              ElementsAre(1, 10));
  EXPECT_THAT(run(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 1, 3, 3] x) => (float[1, 1, 2, 2] y) {
      y = MaxPool <kernel_shape = [2, 2], strides = [2, 2], ceil_mode = 1> (x) })",
                  {1, 2, 3, 4, 5, 6, 7, 8, 9}, 4),
              ElementsAre(5, 6, 8, 9));
  EXPECT_THAT(run(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 1, 2, 2] x) => (float[1, 1, 2, 2] y) {
      y = AveragePool <kernel_shape = [2, 2], pads = [1, 1, 0, 0]> (x) })",
                  {1, 2, 3, 4}, 4),
              ElementsAre(1, 1.5, 2, 2.5));
}

TEST_F(Operators, AddAlongAxes) {
  EXPECT_THAT(run(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 2] x) => (float[2, 3] y) <float[3, 2] w = {1, 2, 3, 4, 5, 6}, float[3] b = {1, 1, 2}> {
      y = Gemm <transB = 1, alpha = 2.0> (x, w, b) })",
                  {1, 0, 0, 1}, 6),
              ElementsAre(3, 7, 12, 5, 9, 14));
  EXPECT_THAT(run(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 1, 2] x) => (float[2, 1, 1] y) <float[2, 1] w = {1, 10}> { y = MatMul(x, w) })",
                  {1, 2, 3, 4}, 2),
              ElementsAre(21, 43));
  EXPECT_THAT(run(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 2] x) => (float[2] y) { y = ReduceMean <axes = [0], keepdims = 0> (x) })",
                  {1, 2, 3, 5}, 2),
              ElementsAre(2, 3.5));
  EXPECT_THAT(run(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 2] x) => (float[2, 2] y) { y = Softmax <axis = 0> (x) })",
                  {0, 0, 0, 1}, 4),
              Pointwise(FloatNear(1e-6F), {0.5F, 0.26894143F, 0.5F, 0.7310586F}));
}

TEST_F(Operators, MoveElements) {
  EXPECT_THAT(run(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] x) => (float[3, 2] y) { y = Transpose(x) })",
                  {1, 2, 3, 4, 5, 6}, 6),
              ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(run(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[5] x) => (float[2] y) <int64[1] s = {-1}, int64[1] e = {-6}, int64[1] a = {0}, int64[1] t = {-3}> {
      y = Slice(x, s, e, a, t) })",
                  {1, 2, 3, 4, 5}, 2),
              ElementsAre(5, 2));
  EXPECT_THAT(run(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 2] x) => (float[2, 3] y) <int64[1] i = {-1}> { a = Gather <axis = 1> (x, i) y = Concat <axis = 1> (x, a) })",
                  {1, 2, 3, 4}, 6),
              ElementsAre(1, 2, 2, 3, 4, 4));
}

// The shape of the result is computed from that of the input, before the network runs.
TEST_F(Operators, ComputeShapes) {
  EXPECT_THAT(run(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] x) => (float[3, 2] y) <int64[1] first = {0}, int64[1] rest = {-1}, int64[1] one = {1}> {
      s = Shape(x) n = Gather(s, one) t = Concat <axis = 0> (n, rest) y = Reshape(x, t) })",
                  {1, 2, 3, 4, 5, 6}, 6),
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(sizes(engine_->getTensorShape("y")), (std::vector<std::int64_t>{3, 2}));
}

}  // namespace
}  // namespace fake_tensorrt

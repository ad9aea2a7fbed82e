// Precisions that TensorRT chooses itself: int8 with calibration, and float16 with layers that have to stay in float32.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/gpu/gpu_workspace.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Results are between -12 and 9 for inputs between 0 and 1, so one of 255 steps is less than 0.1. The calibrator of the
// test takes the whole range: the one that TensorRT recommends may cut off the largest of so few values.
constexpr auto kConvolutions = R"(<ir_version: 8, opset_import: ["" : 17]>
  conv (float[1, 4, 8, 8] x) => (float[1, 4, 8, 8] y) <float[4, 1, 1, 1] w = {1, -2, 3, -4}> {
    a = Conv <group = 4, kernel_shape = [1, 1]> (x, w) b = Relu(a)
    y = Conv <group = 4, kernel_shape = [1, 1]> (b, w)
  })";

TEST_F(Gpu, Int8IsCalibratedOnceAndAgreesRoughly) {
  ASSAY_NEEDS_TENSORRT_10("--int8");
  write_model("m.onnx", kConvolutions);
  const Words int8 = {"--int8", "--calib-base-cls", "IInt8MinMaxCalibrator", "--calibration-cache", "cache"};
  Words run = {"run", "m.onnx", "--onnxrt", "--trt", "--atol", "0.5"};
  run.insert(run.end(), int8.begin(), int8.end());
  Words first = run;
  first.insert(first.end(), {"--iterations", "4", "--save-inputs", "i.json"});
  EXPECT_THAT(passes(first), HasSubstr("4 of 4 iterations agree"));
  const std::string cache = read("cache");
  EXPECT_FALSE(cache.empty());
  Words second = run;
  second.insert(second.end(), {"--seed", "7"});
  EXPECT_THAT(passes(second), HasSubstr("1 of 1 iterations agree"));
  EXPECT_EQ(read("cache"), cache) << "a cache that exists is only read";
  Words convert = {"convert", "m.onnx", "-o", "m.plan"};
  convert.insert(convert.end(), int8.begin(), int8.end());
  passes(convert);
  passes({"run", "m.onnx", "--onnxrt", "--load-inputs", "i.json", "--save-outputs", "o.json"});
  EXPECT_THAT(
      passes({"run", "m.plan", "--trt", "--load-inputs", "i.json", "--load-outputs", "o.json", "--atol", "0.5"}),
      HasSubstr("4 of 4 iterations agree"));
}

// A matrix with one number in its diagonal.
std::string diagonal(const std::string& name, const std::string& number) {
  std::string values;
  for (int i = 0; i < 16; ++i) values += (i == 0 ? "" : ", ") + (i % 5 == 0 ? number : std::string("0"));
  return "float[4, 4] " + name + " = {" + values + "}";
}

// For inputs between 0.6 and 1, the results of `twice` are infinite in float16, which has no number above 65,504. So
// `half` has to read its results in float32, and `twice` has to write them so, unless TensorRT lets a layer in float16
// write float32. Products of matrices aren't merged.
// The layers are told to use float16: with --fp16 alone, TensorRT takes what is faster, and for so little work that may
// be float32.
TEST_F(Gpu, LayersThatOverflowInFloat16AreFound) {
  ASSAY_NEEDS_TENSORRT_10("--fp16");
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2, 4] x) => (float[2, 4] y) <)" +
                            diagonal("large", "60000") + ", " + diagonal("two", "2") + ", " +
                            diagonal("one_half", "0.5") +
                            R"(> { [up] a = MatMul(x, large) [twice] b = MatMul(a, two) [half] c = MatMul(b, one_half)
                                 [last] y = Relu(c) })");
  const Words precision = {
      "--trt",  "--fp16", "--precision-constraints", "obey",       "--val-range",   "[0.6,1]",
      "--atol", "500",    "--layer-precisions",      "up:float16", "twice:float16", "half:float16"};
  Words search = {"debug", "precision", "m.onnx", "--mode", "minimal"};
  search.insert(search.end(), precision.begin(), precision.end());
  const std::string found = passes(search);
  EXPECT_THAT(found, AllOf(HasSubstr("to stay in float32"), HasSubstr("layer 'half'"), Not(HasSubstr("layer 'up'"))));
  if (on_stand_in()) {
    EXPECT_THAT(found, HasSubstr("layer 'twice'"));
  }
  Words run = {"run", "m.onnx", "--onnxrt"};
  run.insert(run.end(), precision.begin(), precision.end());
  fails(run);
  run.insert(run.end(), {"--layer-precisions", "twice:float32", "half:float32"});
  passes(run);
}

}  // namespace
}  // namespace assay::e2e

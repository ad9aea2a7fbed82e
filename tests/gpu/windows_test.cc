// Tensors of TensorRT's own network on a GPU, in windows of the memory budget, and searches with inputs with dynamic
// dimensions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/gpu/gpu_workspace.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Tensors of 4 KiB for one row. TensorRT fuses nodes unless their outputs are marked.
constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[N, 1024] x) => (float[N, 1024] y) {
    [n_a] a = Add(x, x) [n_b] b = Relu(a) [n_c] c = Add(b, x) [n_d] d = Relu(c) [n_y] y = Add(d, b)
  })";

class GpuWindows : public Gpu {
 protected:
  void SetUp() override {
    Gpu::SetUp();
    if (!IsSkipped()) write_model("m.onnx", kModel);
  }
};

TEST_F(GpuWindows, GiveWhatOneRunGives) {
  const Words all = {"run",           "m.onnx", "--onnxrt", "--trt",  "--onnx-outputs", "mark",          "all",
                     "--trt-outputs", "mark",   "all",      "--atol", "1e-5",           "--save-outputs"};
  Words whole = all;
  whole.emplace_back("whole.json");
  EXPECT_THAT(passes(whole), AllOf(Not(HasSubstr("Window 1")), HasSubstr("all 5 agree")));
  Words parts = all;
  parts.insert(parts.end(), {"parts.json", "--memory-budget", "32K"});
  EXPECT_THAT(passes(parts), AllOf(HasSubstr("in 3 windows"), HasSubstr("all 5 agree")));
  passes({"run", "--load-outputs", "whole.json", "parts.json", "--atol", "1e-5"});
}

TEST_F(GpuWindows, EnginesMayHaveOtherTensors) {
  EXPECT_THAT(passes({"run", "m.onnx", "--onnxrt", "--trt", "--trt-outputs", "a", "c", "y", "--tensor-formats",
                      "c:[linear]", "--memory-budget", "16K"}),
              AllOf(HasSubstr("in 3 windows"), HasSubstr(": a, c"), HasSubstr("1 of 1 iterations agree")));
}

TEST_F(GpuWindows, AllLayersOfAnEngineCanBeLocatedWithOpenSizes) {
  const std::string output = passes({"debug", "locate", "m.onnx", "--onnxrt", "--trt", "--input-shapes", "x:[3,1024]"});
  EXPECT_THAT(output, HasSubstr("NO DIFFERENCE"));
  passes({"run", "m.onnx", "--onnxrt", "--input-shapes", "x:[5,1024]", "--save-inputs", "in.json"});
  EXPECT_THAT(passes({"run", "m.onnx", "--onnxrt", "--trt", "--load-inputs", "in.json"}),
              HasSubstr("1 of 1 iterations agree"));
}

// A tolerance of nothing lets the search run if the GPU rounds in another way. TensorRT may also find float32 faster:
// then there is no difference.
TEST_F(GpuWindows, LayersInFloat16AreLocatedWithOpenSizes) {
  ASSAY_NEEDS_TENSORRT_10("--fp16");
  passes({"run", "m.onnx", "--onnxrt", "--input-shapes", "x:[5,1024]", "--save-inputs", "in.json"});
  const Finished exact = assay({"debug", "locate", "m.onnx", "--onnxrt", "--trt=:fp16=on", "--load-inputs", "in.json",
                                "--atol", "1e-9", "--rtol", "0"});
  EXPECT_THAT(exact.output,
              AllOf(HasSubstr(on_stand_in() ? "DIFFERENCE: tensor" : "DIFFERENCE"), Not(HasSubstr("An engine fails"))));
}

}  // namespace
}  // namespace assay::e2e

// debug precision --trt: TensorRT lowers the precision itself. The stand-in rounds layers that run in float16.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/e2e/tensorrt_workspace.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// The sum of two large numbers is infinity in float16, and both the layer that computes it and the one that reads it
// have to stay in float32. Layers before and after it only round.
constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[4] x) => (float[4] y) <float up = {40000}, float down = {-40000}> {
    [first] a = Relu(x)
    [up_1] b = Add(a, up)
    [up_2] c = Add(b, up)
    [down_1] d = Add(c, down)
    e = Add(d, down)
    [last] y = Identity(e)
  })";

class TensorRtPrecision : public TensorRtWorkspace {
 protected:
  void SetUp() override {
    TensorRtWorkspace::SetUp();
    if (IsSkipped()) return;
    ASSAY_NEEDS_TENSORRT_10("the precisions of layers");
    write_model("m.onnx", kModel);
  }
  static Words precision(const Words& more) {
    Words words = {"debug", "precision", "m.onnx", "--trt"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(TensorRtPrecision, NamesTheLayersAndHowToBuildTheEngine) {
  const std::string output = passes(precision({"--fp16", "--atol", "100"}));
  EXPECT_THAT(output, AllOf(HasSubstr("6 layers of the network can run in a lower precision"),
                            HasSubstr("2 of 6 layers have to stay in float32"), HasSubstr("layer 'up_2'"),
                            HasSubstr("layer 'down_1'"), Not(HasSubstr("layer 'up_1'"))));
  const std::string spec = "--precision-constraints obey --layer-precisions up_2:float32 down_1:float32";
  ASSERT_THAT(output, HasSubstr(spec));
  EXPECT_THAT(fails({"run", "m.onnx", "--trt", "--fp16", "--onnxrt", "--atol", "100"}), HasSubstr("FAILED"));
  passes({"run", "m.onnx", "--trt", "--fp16", "--onnxrt", "--atol", "100", "--precision-constraints", "obey",
          "--layer-precisions", "up_2:float32", "down_1:float32"});
}

// The stand-in has no quantized operators, so another constant stands for what a quantizer has changed.
TEST_F(TensorRtPrecision, NamesTheNodeThatCannotBeQuantized) {
  write_model("quantized.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (float[4] y) <float up = {40000}, float down = {-40000}, float rounded = {-30000}> {
      [first] a = Relu(x)
      [up_1] b = Add(a, up)
      [up_2] c = Add(b, up)
      [down_1] d = Add(c, down)
      e = Add(d, rounded)
      [last] y = Identity(e)
    })");
  EXPECT_THAT(passes(precision({"--quantized", "quantized.onnx", "-o", "mixed.onnx"})),
              AllOf(HasSubstr("1 of 1 node has to stay in float32"), HasSubstr("Add 'e' (node #4)")));
  passes({"run", "m.onnx", "--trt", "--save-inputs", "in.json", "--save-outputs", "out.json"});
  passes({"run", "mixed.onnx", "--trt", "--load-inputs", "in.json", "--load-outputs", "out.json"});
  EXPECT_THAT(fails(precision({"--quantized", "quantized.onnx", "--int8"})), HasSubstr("Use --strongly-typed instead"));
}

TEST_F(TensorRtPrecision, TheOtherModesKeepTheLayersUpToTheLast) {
  for (const char* mode : {"bisect", "linear"}) {
    EXPECT_THAT(passes(precision({"--fp16", "--atol", "100", "--mode", mode})),
                HasSubstr("if the first 4 of 6 layers stay in float32"));
    EXPECT_THAT(passes(precision({"--fp16", "--atol", "100", "--mode", mode, "--dir", "reverse"})),
                AllOf(HasSubstr("if the last 4 of 6 layers stay in float32"), HasSubstr("node_of_e:float32")));
  }
}

// bfloat16 has float32's range, but few digits.
TEST_F(TensorRtPrecision, OtherPrecisionsAreSearchedAsWell) {
  EXPECT_THAT(passes(precision({"--bf16", "--atol", "1000"})), HasSubstr("No layer has to stay in float32"));
  EXPECT_THAT(passes({"debug", "precision", "m.onnx", "--trt=:bf16=on", "--atol", "0.1"}),
              AllOf(HasSubstr("to stay in float32"), HasSubstr("up_1:float32")));
  EXPECT_THAT(fails(precision({"--fp16", "--precision", "float16"})), HasSubstr("--int8 or --fp8"));
  EXPECT_THAT(fails(precision({})), HasSubstr("TensorRT may compute in float32 only"));
  EXPECT_THAT(fails(precision({"--fp16", "-o", "mixed.onnx"})), HasSubstr("assay convert"));
}

TEST_F(TensorRtPrecision, ACheckJudgesTheEngine) {
  write("check.sh", R"(#!/bin/bash
# Passes if 'last' is in float32.
grep -aq '"name":"last","operation":[^}]*"precision":"kFLOAT"' polygraphy_debug.engine
)");
  EXPECT_THAT(passes(precision({"--fp16", "--check", "bash", "check.sh"})),
              AllOf(HasSubstr("1 of 6 layers has to stay in float32"), HasSubstr("last:float32")));
  EXPECT_THAT(files(), Not(Contains("polygraphy_debug.engine")));
}

TEST_F(TensorRtPrecision, AnEngineThatFailsInFloat32HasNoAnswer) {
  EXPECT_THAT(fails(precision({"--fp16", "--check", "false"})), HasSubstr("fails even if all layers stay in float32"));
}

}  // namespace
}  // namespace assay::e2e

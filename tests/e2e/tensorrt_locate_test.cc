// debug locate with TensorRT: the layers of its engine, and those that need float32. The stand-in fuses sums.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/e2e/tensorrt_workspace.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class TensorRtLocate : public TensorRtWorkspace {};

TEST_F(TensorRtLocate, NamesTheLayerThatFailsInItsFusedForm) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (float[4] y) { [one] a = Add(x, x) [two] b = Add(a, x) [out] y = Relu(b) })");
  environment_["ASSAY_FAKE_TENSORRT"] = "wrong_fusion";
  const Words words = {"debug", "locate", "m.onnx", "--trt", "--onnxrt"};
  EXPECT_THAT(fails(words), AllOf(HasSubstr("tensor 'b'"), HasSubstr("the layer 'one + two' computes it"),
                                  HasSubstr("into which these nodes are fused: one, two"),
                                  HasSubstr("Only the fused nodes differ"), Not(HasSubstr("--layer-precisions"))));
  Words json_words = words;
  for (const char* word : {"--format", "json", "--verbosity", "critical"}) json_words.emplace_back(word);
  const auto json = nlohmann::json::parse(fails(json_words));
  EXPECT_EQ(json["fused"][0]["layer"], "one + two");
  EXPECT_EQ(json["fused"][0]["nodes"], nlohmann::json({"one", "two"}));
  EXPECT_EQ(json["only_fused"], true);
  EXPECT_THAT(
      assay({"diagnose", "m.onnx", "--trt", "--onnxrt", "--skip", "reduce"}).output,
      HasSubstr("the layer 'one + two' computes it, into which these nodes are fused: one, two. Only the fused"));
}

TEST_F(TensorRtLocate, ListsTheLayersThatNeedFloat32) {
  ASSAY_NEEDS_TENSORRT_10("--fp16");
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (float[4] y) <float up = {40000}, float down = {-40000}> {
      [first] a = Relu(x) [up_1] b = Add(a, up) [up_2] c = Add(b, up) [down_1] d = Add(c, down) e = Add(d, down)
      [last] y = Identity(e)
    })");
  for (const Words& sides : {Words{"--trt=:fp16=on", "--onnxrt"}, Words{"--onnxrt", "--trt=:fp16=on"}}) {
    Words words = {"debug", "locate", "m.onnx", "--atol", "100"};
    words.insert(words.end(), sides.begin(), sides.end());
    EXPECT_THAT(fails(words),
                AllOf(HasSubstr("tensor 'c'"),
                      HasSubstr("--precision-constraints obey --layer-precisions up_2:float32 down_1:float32\n"),
                      HasSubstr("Built this way, the outputs agree")));
  }
}

constexpr auto kOpen = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[N, 4] x) => (float[N, 4] y) { [first] r = Relu(x) [one] a = Add(r, r) [two] b = Add(a, r) [out] y = Relu(b) })";

// The pieces of the model have inputs with dynamic dimensions, too, or none of the model's.
TEST_F(TensorRtLocate, InputsOfOpenSizesNeedNoProfile) {
  write_model("m.onnx", kOpen);
  passes({"run", "m.onnx", "--onnxrt", "--input-shapes", "x:[3,4]", "--save-inputs", "in.json"});
  passes(
      {"run", "m.onnx", "--onnxrt", "--onnx-outputs", "*", "--load-inputs", "in.json", "--save-outputs", "out.json"});
  environment_["ASSAY_FAKE_TENSORRT"] = "wrong_fusion";
  for (const Words& more :
       {Words{"--onnxrt", "--input-shapes", "x:[3,4]"}, Words{"--onnxrt", "--load-inputs", "in.json"},
        Words{"--load-inputs", "in.json", "--load-outputs", "out.json"}}) {
    Words words = {"debug", "locate", "m.onnx", "--trt"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_THAT(fails(words), AllOf(HasSubstr("12 of 12 values"), HasSubstr("the layer 'one + two' computes it"),
                                    Not(HasSubstr("An engine fails")), Not(HasSubstr("skipped"))));
  }
}

// The piece doesn't have the input z.
TEST_F(TensorRtLocate, ASavedPieceNeedsNoProfilesOfTheInputsOfTheModel) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 4] x, float[N, 4] z) => (float[N, 4] y) {
      [first] r = Relu(x) [one] a = Add(r, r) [two] b = Add(a, r) [out] y = Mul(b, z)
    })");
  environment_["ASSAY_FAKE_TENSORRT"] = "wrong_fusion";
  const std::string output = fails({"debug", "locate", "m.onnx", "--trt=:trt-min-shapes=z:[3,4]", "--onnxrt",
                                    "--input-shapes", "x:[3,4]", "z:[3,4]", "-o", "piece.onnx"});
  EXPECT_THAT(output, AllOf(HasSubstr("Saved piece.onnx (3 nodes)"), HasSubstr("in fresh sessions, it differs, too")));
  const std::size_t command = output.find("assay debug reduce");
  ASSERT_NE(command, std::string::npos) << output;
  const std::string line = output.substr(command + 6, output.find('\n', command) - command - 6);
  const Finished reduced = run({"sh", "-c", with_program({})[0] + " " + line});
  EXPECT_EQ(reduced.status, 0) << reduced.output;
  EXPECT_THAT(reduced.output, HasSubstr("Reduced 3 nodes to 2"));
}

TEST_F(TensorRtLocate, DiagnosisOfAModelWithInputsOfOpenSizes) {
  write_model("m.onnx", kOpen);
  environment_["ASSAY_FAKE_TENSORRT"] = "wrong_fusion";
  const std::string output =
      assay({"diagnose", "m.onnx", "--trt", "--onnxrt", "--input-shapes", "x:[3,4]", "-o", "folder"}).output;
  EXPECT_THAT(output, AllOf(HasSubstr("the layer 'one + two' computes it"), Not(HasSubstr("interpreter="))));
}

}  // namespace
}  // namespace assay::e2e

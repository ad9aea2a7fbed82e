// Settings that TensorRT 11 has removed: each command refuses them before it builds anything, and says what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "tests/e2e/tensorrt_workspace.h"
#include "tests/support/fetched.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) { [first] s = Add(x, x) [last] y = Relu(s) })";

class TensorRtRemoved : public TensorRtWorkspace {
 protected:
  void SetUp() override {
    TensorRtWorkspace::SetUp();
    if (IsSkipped()) return;
    if (tensorrt_major() < 11) GTEST_SKIP() << "the headers are those of TensorRT 10";
    write_model("m.onnx", kModel);
    environment_["ASSAY_FAKE_TENSORRT"] = "hang_build";  // what isn't refused at the start doesn't end
  }
};

TEST_F(TensorRtRemoved, EachSettingSaysWhatToDo) {
  write("cache", "");
  write("replay.json", R"({"replay": {}, "polygraphy_class": "TacticReplayData"})");
  for (const auto& [words, instead] : {
           std::pair{Words{"--fp16"}, "`assay convert --fp-to-fp16` or `assay debug precision --onnxrt`"},
           {Words{"--bf16"}, "put Cast nodes"},
           {Words{"--fp8"}, "QuantizeLinear and DequantizeLinear nodes"},
           {Words{"--int8"}, "QuantizeLinear and DequantizeLinear nodes"},
           {Words{"--calibration-cache", "cache"}, "QuantizeLinear and DequantizeLinear nodes"},
           {Words{"--quantization-flags", "calibrate_before_fusion"}, "QuantizeLinear and DequantizeLinear nodes"},
           {Words{"--precision-constraints", "obey"}, "put Cast nodes"},
           {Words{"--layer-precisions", "first:float32"}, "put Cast nodes"},
           {Words{"--tensor-dtypes", "x:float16"}, "put Cast nodes"},
           {Words{"--save-tactics", "tactics.json"}, "Use --editable-timing-cache and --load-timing-cache"},
           {Words{"--load-tactics", "replay.json"}, "Use --editable-timing-cache and --load-timing-cache"},
       }) {
    Words run = {"run", "m.onnx", "--trt"};
    run.insert(run.end(), words.begin(), words.end());
    EXPECT_THAT(fails(run), AllOf(HasSubstr("TensorRT 11 no longer has " + words.front() + ". "), HasSubstr(instead),
                                  HasSubstr(", or use TensorRT 10 (in TensorRT)")));
  }
  for (const auto& [option, value] :
       {std::pair{"--tactic-sources", "cublas_lt"}, {"--preview-features", "profile_sharing_0806"}}) {
    EXPECT_THAT(
        fails({"run", "m.onnx", "--trt", option, value}),
        AllOf(HasSubstr("TensorRT 11 has removed '"), HasSubstr(std::string("(in ") + option + "). Leave it out")));
  }
  EXPECT_THAT(files(), Not(Contains("tactics.json")));
}

TEST_F(TensorRtRemoved, EachCommandRefusesThem) {
  for (const Words& words : {
           Words{"run", "m.onnx", "--onnxrt", "--trt=half:fp16=on"},
           Words{"convert", "m.onnx", "--convert-to", "trt", "--fp16", "-o", "out.plan"},
           Words{"convert", "m.onnx", "--convert-to", "onnx-like-trt-network", "--tensor-dtypes", "x:float16", "-o",
                 "out.plan"},
           Words{"inspect", "model", "m.onnx", "--display-as", "trt", "--layer-precisions", "*:float16"},
           Words{"debug", "build", "m.onnx", "--trt", "--fp16", "--until", "2", "--check", "true"},
           Words{"debug", "locate", "m.onnx", "--onnxrt", "--trt=:fp16=on"},
           Words{"debug", "precision", "m.onnx", "--trt", "--fp16"},
       }) {
    EXPECT_THAT(fails(words), HasSubstr("TensorRT 11 no longer has --")) << words.front() << " " << words[1];
  }
  EXPECT_THAT(fails({"convert", "m.onnx", "--convert-to", "trt", "--int8", "-o", "out.plan"}),
              HasSubstr("TensorRT 11 no longer has --int8. "));
  EXPECT_THAT(files(), Not(Contains("out.plan")));
  Words reduce = {"debug", "reduce", "m.onnx", "-o", "out.onnx", "--check"};
  for (const std::string& word : with_program({"run", "polygraphy_debug.onnx", "--trt", "--fp16"}))
    reduce.push_back(word);
  EXPECT_THAT(fails(reduce),
              HasSubstr("the check can't judge any model: the engine failed while starting: TensorRT 11"));
  EXPECT_THAT(fails({"debug", "precision", "m.onnx", "--trt"}), HasSubstr("TensorRT 11 has none: use --onnxrt"));
  EXPECT_TRUE(no_process_left());
}

TEST_F(TensorRtRemoved, AutotuneRefusesThemBeforeItTimesAnything) {
  const std::string python = test::fetched_python();
  if (python.empty()) GTEST_SKIP() << test::kNoPython;
  std::filesystem::create_directories(path("plugins/relu"));
  write("plugins/relu/pattern.py", R"(
def get_matching_subgraphs(graph):
    return [{"inputs": [node.inputs[0].name], "outputs": [node.outputs[0].name], "attributes": {}}
            for node in graph.nodes if node.op == "Relu"]


def get_plugin_metadata():
    return {"name": "relu", "op": "Identity"}
)");
  EXPECT_THAT(fails({"plugin", "autotune", "m.onnx", "--plugin-dir", "plugins", "--python-interpreter", python,
                     "--fp16", "-o", "out.onnx"}),
              HasSubstr("TensorRT 11 no longer has --fp16. "));
  EXPECT_THAT(files(), Not(Contains("out.onnx")));
}

TEST_F(TensorRtRemoved, ADiagnosisSaysThatTheEngineFails) {
  EXPECT_THAT(assay({"diagnose", "m.onnx", "--trt=:fp16=on", "--onnxrt"}).output,
              HasSubstr("TensorRT 11 no longer has --fp16. "));
}

}  // namespace
}  // namespace assay::e2e

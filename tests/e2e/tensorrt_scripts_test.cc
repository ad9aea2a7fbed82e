// Commands with --trt and functions of the user's in Python. A module stands in for the package `tensorrt`
// (tests/fakes/tensorrt/python).
#include <gmock/gmock.h>

#include "tests/e2e/tensorrt_workspace.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TensorRtScripts : public TensorRtWorkspace {
 protected:
  void SetUp() override {
    TensorRtWorkspace::SetUp();
    if (IsSkipped()) return;
    environment_["PYTHONPATH"] = test::source_dir() / "tests/fakes/tensorrt/python";
    environment_["PYTHONDONTWRITEBYTECODE"] = "1";
    environment_["ASSAY_FAKE_NVINFER"] = test::fake("tensorrt/sdk/libnvinfer.so." + std::to_string(tensorrt_major()));
    write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[N, 2] x) => (float[N, 2] y) { s = Add(x, x) y = Relu(s) })");
    write("mark.py", "def postprocess(network):\n    network.mark_output(network[0].get_output(0))\n");
    write("net.py",
          "import tensorrt as trt\n\ndef make():\n    builder = trt.Builder(trt.Logger(trt.Logger.WARNING))\n"
          "    network = builder.create_network()\n    x = network.add_input('x', trt.float32, (-1, 3))\n"
          "    network.mark_output(network.add_activation(x, trt.ActivationType.RELU).get_output(0))\n"
          "    return builder, network\n");
  }
};

TEST_F(TensorRtScripts, ChangeAModelsNetwork) {
  EXPECT_THAT(passes({"run", "m.onnx", "--onnxrt", "--trt", "--trt-npps", "mark.py", "--input-shapes", "x:[3,2]"}),
              AllOf(HasSubstr("s [float32, shape=(3, 2)]"), HasSubstr("1 of 1 iterations agree")));
  EXPECT_THAT(passes({"run", "m.onnx", "--trt=:trt-network-postprocess-script=mark.py"}), HasSubstr("s [float32"));
}

// Adds a layer after the two of the model.
constexpr auto kAdd = R"(
import tensorrt as trt

def postprocess(network):
    layer = network.add_elementwise(network[0].get_output(0), network[1].get_output(0), trt.ElementWiseOperation.SUM)
    network.mark_output(layer.get_output(0))
)";

TEST_F(TensorRtScripts, OutputsAreThoseOfTheChangedNetwork) {
  write("add.py", kAdd);
  EXPECT_THAT(passes({"run", "m.onnx", "--onnxrt", "--trt", "--trt-npps", "add.py", "--memory-budget", "16"}),
              AllOf(HasSubstr("in 2 windows"), HasSubstr("tensor 2 [float32"), HasSubstr("1 of 1 iterations agree")));
}

// A library that exports a list of its plug-ins doesn't register them when it is opened.
TEST_F(TensorRtScripts, PluginsOfALibraryWithAListAreRegistered) {
  write("check.py", R"(
import tensorrt as trt

def postprocess(network):
    assert sum("load_library" in call for call in trt.calls) == 1, trt.calls
)");
  passes({"run", "m.onnx", "--trt", "--plugins", test::fake("tensorrt/plugins/libassay_fake_plugin.so"), "--trt-npps",
          "check.py"});
}

TEST_F(TensorRtScripts, BestAllowsWhatTheGpuHas) {
  ASSAY_NEEDS_TENSORRT_10("--best");
  write("check.py",
        "import tensorrt as trt\n\ndef postprocess_config(builder, network, config):\n"
        "    assert config.get_flag(trt.BuilderFlag.FP16) and not config.get_flag(trt.BuilderFlag.BF16)\n");
  const Words run = {"run", "m.onnx", "--trt", "--best", "--trt-cpps", "check.py"};
  fails(run);
  environment_["ASSAY_FAKE_CUDA"] = "turing";
  EXPECT_THAT(passes(run), HasSubstr("--best: the Fake GPU doesn't compute in bfloat16"));
}

TEST_F(TensorRtScripts, LayersAreThoseOfTheChangedNetwork) {
  ASSAY_NEEDS_TENSORRT_10("--fp16");
  write("add.py", kAdd);
  EXPECT_THAT(passes({"debug", "precision", "m.onnx", "--trt", "--fp16", "--trt-npps", "add.py", "--atol", "1"}),
              AllOf(HasSubstr("3 layers of the network can run in a lower precision"), HasSubstr("No layer has to")));
  EXPECT_THAT(passes({"debug", "precision", "m.onnx", "--trt", "--fp16", "--trt-npps", "add.py", "--atol", "1e-9",
                      "--rtol", "0"}),
              HasSubstr("layer 2:float32"));
}

TEST_F(TensorRtScripts, PrecisionsOfANetworkAreSearched) {
  ASSAY_NEEDS_TENSORRT_10("--fp16");
  const Words words = {"debug", "precision", "net.py:make", "--trt", "--fp16", "--input-shapes", "x:[2,3]"};
  const auto with = [&words](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  EXPECT_THAT(passes(with({"--atol", "1"})), HasSubstr("No layer has to"));
  EXPECT_THAT(passes(with({"--atol", "1e-9", "--rtol", "0"})), HasSubstr("layer 0:float32"));
  write("check.sh", "grep -aq '\"precision\": *\"kFLOAT\"' polygraphy_debug.engine\n");
  EXPECT_THAT(passes(with({"--check", "bash", "check.sh"})), HasSubstr("layer 0:float32"));
  EXPECT_THAT(fails({"debug", "precision", "net.py:make", "--onnxrt"}),
              HasSubstr("models of type 'trt-network-script'"));
}

TEST_F(TensorRtScripts, NetworksAreShownAndSaved) {
  const std::string shown = passes({"inspect", "model", "m.onnx", "--display-as", "trt", "--trt-npps", "mark.py"});
  EXPECT_THAT(shown,
              AllOf(HasSubstr("Outputs (2)"), HasSubstr("{s [dtype=float32, shape=(-1, 2)]"), HasSubstr("Layers (2)")));
  EXPECT_EQ(shown.find("| Strongly typed") != std::string::npos, tensorrt_major() > 10) << shown;
  EXPECT_THAT(passes({"inspect", "model", "net.py:make", "--show", "layers", "attrs"}),
              AllOf(HasSubstr("Layer 0    | layer 0 [Op: ACTIVATION]"), HasSubstr("layer 0.type = RELU"),
                    HasSubstr("layer 0.alpha = 0.5")));
  passes({"convert", "net.py:make", "-o", "like.onnx", "--convert-to", "onnx-like-trt-network"});
  EXPECT_THAT(passes({"inspect", "model", "like.onnx", "--show", "layers"}),
              AllOf(HasSubstr("==== TensorRT network ===="), HasSubstr("[Op: ACTIVATION]")));
  EXPECT_THAT(fails({"inspect", "model", "net.py:make", "--show", "weights"}),
              HasSubstr("the values of weights are read from ONNX models only"));
}

TEST_F(TensorRtScripts, TacticsAreRecordedAndReplayed) {
  ASSAY_NEEDS_TENSORRT_10("--save-tactics and --load-tactics");
  passes({"run", "m.onnx", "--trt", "--trt-npps", "mark.py", "--save-tactics", "replay.json"});
  EXPECT_THAT(passes({"inspect", "tactics", "replay.json"}), HasSubstr("Layer: node_of_y\n"));
  const auto change = [this](const std::string& tactic) {
    std::string replay = read("replay.json");
    const std::string first = "\"tactic\": 0";
    ASSERT_NE(replay.rfind(first), std::string::npos);
    write("changed.json", replay.replace(replay.rfind(first), first.size(), "\"tactic\": " + tactic));
  };
  const Words convert = {"convert", "m.onnx",         "-o",          "m.plan", "--trt-npps",
                         "mark.py", "--load-tactics", "changed.json"};
  change("2");
  passes(convert);
  EXPECT_THAT(read("m.plan"), AllOf(HasSubstr("\"tactic\": 0"), HasSubstr("\"tactic\": 2")));
  change("9");
  EXPECT_THAT(fails(convert),
              HasSubstr("TensorRT doesn't offer the tactic that the replay has for the layer 'node_of_y'"));
}

TEST_F(TensorRtScripts, MakeTheNetwork) {
  EXPECT_THAT(passes({"run", "net.py:make", "--trt", "--input-shapes", "x:[2,3]"}), HasSubstr("shape=(2, 3)"));
  passes({"convert", "net.py:make", "-o", "net.plan"});
  passes({"run", "net.plan", "--trt"});
  EXPECT_THAT(passes({"debug", "build", "net.py:make", "--trt", "--until", "2", "--iter-artifact", "b.plan", "--check",
                      "test", "-s", "b.plan"}),
              HasSubstr("2 passed"));
  passes({"template", "trt-network", "net.py:make", "--trt-outputs", "*", "-o", "template.py"});
  EXPECT_THAT(passes({"run", "template.py", "--trt", "--input-shapes", "x:[2,3]"}), HasSubstr("shape=(2, 3)"));
  EXPECT_THAT(fails({"run", "net.py", "--trt"}), HasSubstr("has no function load_network()"));
  EXPECT_THAT(fails({"run", "net.py:make", "--trt", "--onnxrt"}), HasSubstr("models of type 'trt-network-script'"));
  EXPECT_THAT(fails({"convert", "net.py:make", "-o", "net.plan", "--fp-to-fp16"}),
              HasSubstr("only ONNX models can be changed"));
  for (const Words& change : {Words{"--onnx-outputs", "y"}, {"--shape-inference"}, {"--save-onnx", "saved.onnx"}}) {
    Words words = {"run", "net.py:make", "--trt"};
    words.insert(words.end(), change.begin(), change.end());
    EXPECT_THAT(fails(words), HasSubstr("a script makes this network (in " + change[0] + ")"));
  }
  EXPECT_THAT(fails({"run", "net.py:make", "--trt", "--ext", "."}), HasSubstr("finds the weights of its network"));
  EXPECT_THAT(fails({"debug", "reduce", "net.py", "-o", "x.onnx", "--check", "true"}),
              HasSubstr("`assay run`, `convert`, `debug build` and `debug precision` take it"));
}

TEST_F(TensorRtScripts, FailuresAreOutcomesAndLeaveNothing) {
  write("bad.py", "def postprocess(network):\n    raise ValueError('boom')\n");
  write("hang.py", "import time\n\ndef postprocess(network):\n    time.sleep(1000)\n");
  EXPECT_THAT(fails({"run", "m.onnx", "--trt", "--trt-npps", "bad.py"}),
              AllOf(HasSubstr("the script failed: ValueError: boom"), HasSubstr("bad.py:2, in postprocess")));
  EXPECT_THAT(fails({"run", "m.onnx", "--trt", "--trt-npps", "hang.py", "--engine-timeout", "1"}),
              HasSubstr("did not end within 1 s"));
  EXPECT_THAT(fails({"run", "m.onnx", "--trt", "--trt-npps", "bad.py", "--python-interpreter", "/no/python"}),
              HasSubstr("there is no interpreter /no/python"));
  environment_["ASSAY_FAKE_TENSORRT"] = "crash_python";
  EXPECT_THAT(fails({"run", "m.onnx", "--trt", "--trt-npps", "mark.py"}), HasSubstr("crashed with signal 11"));
  EXPECT_TRUE(no_process_left());
}

}  // namespace
}  // namespace assay::e2e

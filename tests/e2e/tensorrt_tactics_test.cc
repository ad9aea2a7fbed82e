// Tactic replays from end to end, with the stand-in for TensorRT: recorded and replayed by each command that builds
// engines, and compared to find the tactic that computes wrong numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/e2e/tensorrt_workspace.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2, 2] x) => (float[2, 2] y) { [first] s = Add(x, x) [rectify] r = Relu(s) [copy] i = Identity(r)
    [last] y = Add(i, r) })";

class Tactics : public TensorRtWorkspace {
 protected:
  void SetUp() override {
    TensorRtWorkspace::SetUp();
    if (IsSkipped()) return;
    ASSAY_NEEDS_TENSORRT_10("--save-tactics and --load-tactics");
    write_model("m.onnx", kModel);
  }
};

// One of the tactics of `rectify` is wrong, and each build chooses at random.
TEST_F(Tactics, OnlyBadEnginesHaveAreNamed) {
  passes({"run", "m.onnx", "--onnxrt", "--save-inputs", "in.json", "--save-outputs", "golden.json"});
  environment_["ASSAY_FAKE_TENSORRT"] = "bad_tactic";
  environment_["ASSAY_FAKE_BUILDS"] = path("builds").string();
  // As in Polygraphy, TensorRT builds if no engine is named, and has a file of its own.
  Words build = {"debug",       "build",   "m.onnx", "--save-tactics", "replay.json", "--artifacts",
                 "replay.json", "--until", "16",     "--check"};
  for (const std::string& word : with_program(
           {"run", "polygraphy_debug.engine", "--trt", "--load-inputs", "in.json", "--load-outputs", "golden.json"})) {
    build.push_back(word);
  }
  EXPECT_THAT(passes(build), AllOf(HasSubstr(" passed"), HasSubstr(" failed"), Not(HasSubstr("0 failed"))));
  const std::string difference = passes({"inspect", "diff-tactics", "--dir", "polygraphy_artifacts"});
  EXPECT_THAT(difference, AllOf(HasSubstr("Layer: rectify\n"), Not(HasSubstr("Layer: first")),
                                Not(HasSubstr("Layer: copy")), Not(HasSubstr("Layer: last"))));
  EXPECT_THAT(passes({"inspect", "diff-tactics", "--dir", "polygraphy_artifacts", "--format", "json"}),
              HasSubstr("\"tactic\": -163971058432973790"));
}

TEST_F(Tactics, AreRecordedAndReplayedByEachCommandThatBuilds) {
  environment_["ASSAY_FAKE_TENSORRT"] = "bad_tactic";
  environment_["ASSAY_FAKE_BUILDS"] = path("builds").string();
  EXPECT_THAT(passes({"convert", "m.onnx", "-o", "a.plan", "--save-tactics", "a.json"}),
              HasSubstr("Saved the tactics to a.json\n"));
  for (int repeat = 0; repeat < 3; ++repeat) {
    passes({"convert", "m.onnx", "-o", "b.plan", "--load-tactics", "a.json"});
    std::string chosen = read("b.plan");
    EXPECT_EQ(chosen.substr(chosen.find("\"graph\""), chosen.find("\"profiles\"")),
              read("a.plan").substr(chosen.find("\"graph\""), chosen.find("\"profiles\"")));
  }
  environment_.erase("ASSAY_FAKE_TENSORRT");
  EXPECT_THAT(passes({"run", "m.onnx", "--onnxrt", "--trt", "--save-tactic-replay", "run.json", "--save-timing-cache",
                      "kernels.cache", "--save-engine", "run.plan"}),
              AllOf(HasSubstr("Saved the engine to run.plan\n"), HasSubstr("Saved the tactics to run.json\n"),
                    HasSubstr("Saved the timing cache to kernels.cache\n")));
  EXPECT_TRUE(std::filesystem::exists(path("kernels.cache")) && std::filesystem::exists(path("run.plan")));
  EXPECT_THAT(passes({"inspect", "tactics", "run.json"}), HasSubstr("Layer: rectify\n"));
  passes({"run", "m.onnx", "--onnxrt", "--trt", "--load-tactic-replay", "run.json"});
  passes({"run", "m.onnx", "--trt=one:save-tactics=one.json", "--trt=two:save-tactics=two.json"});
  EXPECT_EQ(read("one.json"), read("two.json"));
  passes({"debug", "precision", "m.onnx", "--trt", "--fp16", "--save-tactics", "precision.json", "--check", "true"});
  EXPECT_THAT(passes({"inspect", "tactics", "precision.json"}), HasSubstr("DataType.HALF"));
}

TEST_F(Tactics, OfAnotherModelAreReportedOrRefused) {
  passes({"convert", "m.onnx", "-o", "m.plan", "--save-tactics", "replay.json"});
  write_model("part.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 2] x) => (float[2, 2] y) { [rectify] r = Relu(x) [new] y = Identity(r) })");
  EXPECT_THAT(passes({"run", "part.onnx", "--trt", "--load-tactics", "replay.json"}),
              AllOf(HasSubstr("lacks 1 of the engine's layers, so TensorRT chose their tactics: new"),
                    HasSubstr("the engine lacks 3 of the tactic replay's layers: first, copy, last")));
  write_model("wide.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 9] x) => (float[2, 9] y) { [rectify] y = Relu(x) })");
  EXPECT_THAT(fails({"run", "wide.onnx", "--trt", "--load-tactics", "replay.json"}),
              HasSubstr("TensorRT doesn't offer the tactic that the replay has for the layer 'rectify'"));
}

TEST_F(Tactics, AreRefusedIfTheyHaveNoEffect) {
  EXPECT_THAT(fails({"run", "m.onnx", "--trt", "--save-tactics", "a.json", "--load-tactics", "b.json"}),
              HasSubstr("Leave out --save-tactics or --load-tactics"));
  EXPECT_THAT(fails({"run", "m.onnx", "--trt", "--load-tactics", "missing.json"}),
              AllOf(HasSubstr("No such file or directory"), HasSubstr("missing.json")));
  EXPECT_THAT(fails({"run", "m.onnx", "--trt", "--trt", "--save-tactics", "a.json"}),
              HasSubstr("Name a file for each, as --trt=NAME:save-tactics=FILE"));
  passes({"convert", "m.onnx", "-o", "m.plan"});
  EXPECT_THAT(fails({"run", "m.plan", "--trt", "--save-tactics", "a.json"}),
              HasSubstr("--save-tactics says how an engine is built"));
  EXPECT_THAT(
      fails({"run", "m.onnx", "--trt", "--trt-outputs", "*", "--memory-budget", "1", "--save-tactics", "a.json"}),
      HasSubstr("each window builds an engine of its own (in --save-tactics)"));
  EXPECT_FALSE(std::filesystem::exists(path("a.json")));
}

}  // namespace
}  // namespace assay::e2e

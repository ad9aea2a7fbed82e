// Commands with --trt. If Assay was built with TensorRT's headers, they run with the stand-ins for TensorRT and
// NVIDIA's driver in tests/fakes/tensorrt; otherwise they say what is missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/shell_text.h"
#include "tests/e2e/tensorrt_workspace.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[N, 2] x) => (float[N, 2] y) { s = Add(x, x) r = Relu(s) i = Identity(r) y = Add(i, r) })";
constexpr auto kUnsupported = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2, 2] x) => (float[2, 2] y) { s = Add(x, x) r = Relu(s) q = Softsign(r) i = Identity(q) y = Add(i, r) })";

class TensorRt : public TensorRtWorkspace {
 protected:
  void SetUp() override {
    TensorRtWorkspace::SetUp();
    if (!IsSkipped()) write_model("m.onnx", kModel);
  }
};

using WithoutTensorRt = Workspace;

TEST_F(WithoutTensorRt, WhatIsMissingIsSaid) {
  write_model("m.onnx", kModel);
  environment_["LD_LIBRARY_PATH"] = "";
  const Finished finished = assay({"run", "m.onnx", "--trt", "--trt-lib", "nowhere"});
  EXPECT_EQ(finished.status, 1);
  if (has_tensorrt_worker()) {
    EXPECT_THAT(finished.output, HasSubstr("there is no TensorRT at nowhere (in --trt-lib)"));
  } else {
    EXPECT_THAT(finished.output,
                AllOf(HasSubstr("this build of Assay has no worker for TensorRT. CMake builds this worker"),
                      HasSubstr("headers of TensorRT 10 or 11 and of CUDA"), HasSubstr("docs/tensorrt.md")));
  }
}

// As Polygraphy does. That needs no TensorRT.
TEST_F(WithoutTensorRt, AnEngineIsConvertedToItself) {
  write("m.engine", "an engine");
  EXPECT_THAT(passes({"convert", "m.engine", "-o", "copy.plan"}), HasSubstr("Copied it to copy.plan"));
  EXPECT_EQ(read("copy.plan"), "an engine");
  passes({"convert", "m.engine", "--model-type", "engine", "--convert-to", "trt", "-o", "copy.bin"});
  EXPECT_EQ(read("copy.bin"), "an engine");
  const auto refused = [this](const Words& more) {
    Words words = {"convert", "m.engine", "-o", "other.plan"};
    words.insert(words.end(), more.begin(), more.end());
    return fails(words);
  };
  EXPECT_THAT(refused({"--fp16"}), HasSubstr("--fp16"));
  EXPECT_THAT(refused({"--onnx-outputs", "y"}), HasSubstr("this is an engine (in --onnx-outputs)"));
  EXPECT_THAT(refused({"--fp-to-fp16"}), HasSubstr("this is an engine (in --fp-to-fp16)"));
  EXPECT_THAT(refused({"--shape-inference"}), HasSubstr("this is an engine (in --shape-inference)"));
  EXPECT_THAT(refused({"--input-shapes", "x:[2]"}), HasSubstr("the engine is copied (in --input-shapes)"));
  EXPECT_THAT(refused({"--ext", "."}), HasSubstr("have their weights in other files (in --ext)"));
  EXPECT_THAT(fails({"convert", "m.engine", "-o", "./m.engine", "--convert-to", "trt"}), HasSubstr("the model"));
  EXPECT_THAT(fails({"convert", "m.engine", "-o", "m.onnx"}), HasSubstr("models of type 'engine' are not supported"));
  EXPECT_THAT(fails({"convert", "none.engine", "-o", "copy.plan"}), HasSubstr("none.engine"));
}

TEST_F(TensorRt, IsComparedWithOtherEngines) {
  EXPECT_THAT(passes({"run", "m.onnx", "--onnxrt", "--trt=other:tf32=on", "--trt", "--input-shapes", "x:[3,2]"}),
              AllOf(HasSubstr("other-runner-N1"), HasSubstr("trt-runner-N2"), HasSubstr("1 of 1 iterations agree")));
  EXPECT_THAT(passes({"run", "m.onnx", "--onnxrt", "--trt", "--onnx-outputs", "mark", "all"}), HasSubstr("'s'"));
  EXPECT_THAT(passes({"debug", "locate", "m.onnx", "--onnxrt", "--trt"}), HasSubstr("NO DIFFERENCE"));
}

TEST_F(TensorRt, EnginesAreSavedRunAndShown) {
  EXPECT_THAT(passes({"convert", "m.onnx", "-o", "m.plan", "--refittable"}), HasSubstr("Saved the engine to m.plan"));
  EXPECT_THAT(passes({"run", "m.plan", "--trt", "--save-outputs", "out.json"}), HasSubstr("Outputs: y"));
  EXPECT_THAT(passes({"inspect", "model", "m.plan", "--show", "layers"}), HasSubstr("Layers: 4"));
  EXPECT_THAT(fails({"run", "m.plan", "--trt", "--refittable"}),
              AllOf(HasSubstr("--refittable says how an engine is built"), Not(HasSubstr("is text"))));
  EXPECT_THAT(fails({"run", "m.plan", "--trt", "--onnxrt"}), HasSubstr("models of type 'engine' are not supported"));
  EXPECT_THAT(fails({"run", "m.plan", "--trt", "--onnx-outputs", "y"}),
              HasSubstr("this is an engine (in --onnx-outputs)"));
  EXPECT_THAT(passes({"debug", "build", "m.onnx", "--trt", "--until", "2", "--iter-artifact", "b.plan", "--check",
                      "test", "-s", "b.plan"}),
              HasSubstr("2 passed"));
}

TEST_F(TensorRt, ValuesOfARunAreShownWithTheLayers) {
  passes({"convert", "m.onnx", "-o", "m.plan"});
  passes({"run", "m.plan", "--trt", "--save-outputs", "out.json"});
  EXPECT_THAT(passes({"inspect", "model", "m.plan", "--show", "layers", "--combine-tensor-info", "out.json"}),
              testing::ContainsRegex(R"(\{y \[dtype=float32, shape=\(-1, 2\), min=[^]]*, max=[^]]*, mean=[^]]*\])"));
  EXPECT_THAT(fails({"inspect", "model", "m.plan", "--combine-tensor-info", "out.json"}),
              HasSubstr("Add --show layers"));
  EXPECT_THAT(fails({"inspect", "model", "m.onnx", "--combine-tensor-info", "out.json"}), HasSubstr("Leave it out"));
}

TEST_F(TensorRt, TheNetworkOfAModelIsShownAndSaved) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 2] x) => (float[N, 2] y) <float[2] c = {3, 4}> { s = Add(x, c) y = Relu(s) })");
  const std::string shown =
      passes({"inspect", "model", "m.onnx", "--display-as", "trt", "--show", "layers", "attrs", "--strongly-typed"});
  EXPECT_THAT(shown, AllOf(HasSubstr("==== TensorRT network ===="), HasSubstr("| Strongly typed"),
                           HasSubstr("[Op: ELEMENTWISE]"), HasSubstr(".op = SUM"), HasSubstr("[Op: CONSTANT]"),
                           HasSubstr("weights = Tensor"), Not(HasSubstr("Values:"))));
  EXPECT_THAT(passes({"inspect", "model", "m.onnx", "--convert-to", "trt", "--show", "layers", "weights", "attrs"}),
              HasSubstr("[3. 4.]"));
  EXPECT_THAT(passes({"inspect", "model", "m.onnx", "--display-as", "trt", "--format", "json"}),
              HasSubstr("\"producer\": \"TensorRT network\""));
  EXPECT_THAT(passes({"convert", "m.onnx", "-o", "like.onnx", "--convert-to", "onnx-like-trt-network"}),
              HasSubstr("Saved the model to like.onnx"));
  EXPECT_THAT(passes({"inspect", "model", "like.onnx", "--show", "layers", "attrs", "weights"}),
              AllOf(HasSubstr("==== TensorRT network ===="), HasSubstr("[3. 4.]")));
  EXPECT_THAT(fails({"inspect", "model", "m.onnx", "--trt-outputs", "s"}),
              HasSubstr("a setting of TensorRT, which doesn't run (in --trt-outputs)"));
  EXPECT_THAT(fails({"inspect", "model", "m.onnx", "--display-as", "trt", "--list-unbounded-dds"}),
              HasSubstr("for ONNX models"));
  write_model("bad.onnx", kUnsupported);
  EXPECT_THAT(fails({"inspect", "model", "bad.onnx", "--display-as", "trt"}), HasSubstr("Softsign (node 2"));
  for (const Words& unused :
       {Words{"--fp16"}, {"--save-timing-cache", "c"}, {"--load-inputs", "in.json"}, {"--input-shapes", "x:[1,2]"}}) {
    Words words = {"convert", "m.onnx", "-o", "n.onnx", "--convert-to", "onnx-like-trt-network"};
    words.insert(words.end(), unused.begin(), unused.end());
    EXPECT_THAT(fails(words), HasSubstr("(in " + unused[0] + "). Leave it out"));
  }
}

TEST_F(TensorRt, AnUnsupportedNodeIsWhatAReductionLeaves) {
  write_model("bad.onnx", kUnsupported);
  EXPECT_THAT(fails({"run", "bad.onnx", "--trt"}), HasSubstr("Softsign (node 2"));
  Words words = {"debug", "reduce", "bad.onnx", "-o", "min.onnx", "--check"};
  for (const std::string& word : with_program({"run", "polygraphy_debug.onnx", "--trt"})) words.push_back(word);
  EXPECT_THAT(passes(words), HasSubstr("Reduced 5 nodes to 1"));
}

// Profiles for inputs that a candidate lacks aren't errors.
TEST_F(TensorRt, AReductionRemovesInputsThatHaveProfiles) {
  write_model("z.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 4] x, float[N, 4] z) => (float[N, 4] y) {
      r = Relu(z) [one] a = Add(x, x) [two] b = Add(a, x) y = Mul(b, r)
    })");
  environment_["ASSAY_FAKE_TENSORRT"] = "wrong_fusion";
  const std::string output =
      passes({"debug", "reduce", "z.onnx", "-o", "reduced.onnx", "--check", "assay", "run", "polygraphy_debug.onnx",
              "--trt", "--onnxrt", "--input-shapes", "x:[3,4]", "z:[3,4]", "--trt-min-shapes", "x:[3,4]", "z:[3,4]"});
  EXPECT_THAT(output,
              AllOf(HasSubstr("Added --trt-optional-profiles to the check"), HasSubstr("Reduced 4 nodes to 2")));
  EXPECT_THAT(fails({"run", "reduced.onnx", "--trt", "--trt-min-shapes", "z:[3,4]"}),
              HasSubstr("a profile is for the input 'z', which the model doesn't have"));
}

TEST_F(TensorRt, RefusedNodesSplitTheModel) {
  write_model("bad.onnx", kUnsupported);
  EXPECT_THAT(passes({"inspect", "capability", "m.onnx"}), HasSubstr("TensorRT takes the whole model"));
  EXPECT_THAT(
      passes({"inspect", "capability", "bad.onnx", "-o", "all", "--save-external-data", "w"}),
      AllOf(HasSubstr("Softsign | #2"),
            HasSubstr("[W] --save-external-data has no effect without --with-partitioning: no model is saved")));
  passes({"inspect", "capability", "bad.onnx", "--with-partitioning", "-o", "parts"});
  EXPECT_THAT(read("parts/results.txt"), AllOf(HasSubstr("Softsign | 1     | no importer"), HasSubstr("| [[2, 3]]")));
  for (const char* part : {"supported_subgraph-nodes-0-1.onnx", "supported_subgraph-nodes-3-4.onnx"}) {
    passes({"run", std::string("parts/") + part, "--onnxrt", "--trt"});
  }
  EXPECT_THAT(passes({"inspect", "model", "parts/unsupported_subgraph-nodes-2-2.onnx", "--show", "layers"}),
              HasSubstr("[Op: Softsign]"));
  fails({"inspect", "capability", "bad.onnx", "-o", "m.onnx"});
}

TEST_F(TensorRt, RefusedNodesAreDataForPrograms) {
  write_model("bad.onnx", kUnsupported);
  const auto printed = [&](const Words& more) {
    Words words = {"inspect", "capability", "--format", "json"};
    words.insert(words.end(), more.begin(), more.end());
    return nlohmann::json::parse(run({"sh", "-c", base::shell_text(with_program(words)) + " 2> log.txt"}).output);
  };
  EXPECT_EQ(printed({"m.onnx"}),
            nlohmann::json::parse(R"({"supported": true, "errors": [], "parts": [], "results": null})"));
  nlohmann::json bad = printed({"bad.onnx", "-o", "all"});
  EXPECT_EQ(bad["supported"], false);
  EXPECT_EQ(bad["errors"][0]["op"], "Softsign");
  EXPECT_EQ(bad["errors"][0]["node"], "#2");
  EXPECT_EQ(bad["results"], "all/results.txt");
  nlohmann::json parts = printed({"bad.onnx", "--with-partitioning", "-o", "parts"})["parts"];
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_THAT(parts[1]["reason"], HasSubstr("no importer"));
  for (nlohmann::json& part : parts) part.erase("reason");
  EXPECT_EQ(parts, nlohmann::json::parse(R"([
    {"supported": true, "begin": 0, "end": 2, "model": "parts/supported_subgraph-nodes-0-1.onnx"},
    {"supported": false, "begin": 2, "end": 3, "model": "parts/unsupported_subgraph-nodes-2-2.onnx"},
    {"supported": true, "begin": 3, "end": 5, "model": "parts/supported_subgraph-nodes-3-4.onnx"}])"));
}

TEST_F(TensorRt, NothingIsLeftOfAFailedBuild) {
  for (const char* how : {"fail_build", "no_memory", "crash_builder"}) {
    environment_["ASSAY_FAKE_TENSORRT"] = how;
    fails({"convert", "m.onnx", "-o", "m.plan"});
    EXPECT_FALSE(std::filesystem::exists(path("m.plan"))) << how;
    EXPECT_TRUE(no_process_left()) << how;
  }
}

// An engine for a larger GPU can't be opened on this one.
TEST_F(TensorRt, AnEngineIsBuiltWithoutOpeningIt) {
  environment_["ASSAY_FAKE_TENSORRT"] = "fail_plan";
  passes({"convert", "m.onnx", "-o", "m.plan"});
  fails({"run", "m.plan", "--trt"});
}

TEST_F(TensorRt, EnginesAreWrittenWhereALinkLeads) {
  std::filesystem::create_directory(path("far"));
  std::filesystem::create_symlink("far/e.plan", path("link.plan"));
  passes({"convert", "m.onnx", "-o", "link.plan"});
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.plan")));
  EXPECT_TRUE(std::filesystem::exists(path("far/e.plan")));
  passes({"convert", "m.onnx", "--convert-to", "trt", "-o", "/dev/null"});
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  passes({"convert", "m.onnx", "-o", "new/folder/e.plan"});
  EXPECT_TRUE(std::filesystem::exists(path("new/folder/e.plan")));
  EXPECT_THAT(fails({"convert", "m.onnx", "--convert-to", "trt", "-o", "far"}), HasSubstr("it is a folder (in far)"));
}

TEST_F(TensorRt, Int8IsCalibratedWithTheInputsOfTheRun) {
  ASSAY_NEEDS_TENSORRT_10("--int8");
  passes({"run", "m.onnx", "--onnxrt", "--input-shapes", "x:[3,2]", "--iterations", "2", "--val-range", "[2,2]",
          "--save-inputs", "in.json"});
  const Words run = {"run",
                     "m.onnx",
                     "--trt",
                     "--int8",
                     "--calibration-cache",
                     "cache",
                     "--load-inputs",
                     "in.json",
                     "--trt-min-shapes",
                     "x:[1,2]",
                     "--trt-opt-shapes",
                     "x:[2,2]",
                     "--trt-max-shapes",
                     "x:[4,2]"};
  EXPECT_THAT(passes(run), Not(HasSubstr("generated inputs")));
  EXPECT_EQ(read("cache"), "fake calibration of 2 batches\nx: 0.000000 to 2.000000\n");
  EXPECT_THAT(passes({"run", "m.onnx", "--trt", "--int8", "--calibration-cache", "other"}),
              HasSubstr("int8 is calibrated with generated inputs"));
  EXPECT_THAT(read("other"), HasSubstr("of 1 batches"));
  EXPECT_THAT(passes({"run", "m.onnx", "--trt=:int8=on,calibration-cache=other"}), Not(HasSubstr("generated inputs")));
}

TEST_F(TensorRt, Int8IsCalibratedWithGivenInputsIfItIsOnlyBuilt) {
  ASSAY_NEEDS_TENSORRT_10("--int8");
  passes({"run", "m.onnx", "--onnxrt", "--input-shapes", "x:[3,2]", "--iterations", "2", "--val-range", "[2,2]",
          "--save-inputs", "in.json"});
  const Words convert = {"convert", "m.onnx",        "-o",     "m.plan", "--int8", "--calibration-cache",
                         "cache",   "--load-inputs", "in.json"};
  EXPECT_THAT(passes(convert), Not(HasSubstr("generated inputs")));
  EXPECT_EQ(read("cache"), "fake calibration of 2 batches\nx: 0.000000 to 2.000000\n");
  EXPECT_THAT(passes(convert), HasSubstr("The calibration cache exists, so the inputs of --load-inputs aren't used"));
  EXPECT_THAT(passes({"convert", "m.onnx", "-o", "m.plan", "--int8", "--calibration-cache", "generated"}),
              HasSubstr("int8 is calibrated with generated inputs"));
  passes({"debug", "build", "m.onnx", "--trt", "--int8", "--calibration-cache", "built", "--iterations", "3", "--until",
          "1", "--check", "true"});
  EXPECT_THAT(read("built"), HasSubstr("of 3 batches"));
  EXPECT_THAT(fails({"convert", "m.onnx", "-o", "m.plan", "--load-inputs", "in.json"}),
              HasSubstr("and none is calibrated (in --load-inputs). Add --trt and --int8"));
  EXPECT_THAT(fails({"convert", "m.onnx", "-o", "m.plan", "--int8", "--load-inputs", "missing.json"}),
              HasSubstr("there is no such file or folder (in missing.json)"));
}

// Four tensors of 4 KiB. Each engine holds two copies of each.
constexpr auto kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1024] x) => (float[1024] y) { s = Add(x, x) r = Relu(s) i = Identity(r) y = Add(i, r) })";

TEST_F(TensorRt, TensorsOfItsNetworkThatExceedTheBudgetRunInWindows) {
  write_model("chain.onnx", kChain);
  const auto run = [](const Words& more) {
    Words words = {"run", "chain.onnx", "--onnxrt", "--trt"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const Words all = {"--onnx-outputs", "mark", "all", "--trt-outputs", "mark", "all", "--save-outputs"};
  Words whole = run(all);
  whole.emplace_back("whole.json");
  EXPECT_THAT(passes(whole), AllOf(Not(HasSubstr("Window 1")), HasSubstr("all 4 agree")));
  Words parts = run(all);
  parts.insert(parts.end(), {"parts.json", "--memory-budget", "32K"});
  EXPECT_THAT(passes(parts), AllOf(HasSubstr("in 2 windows"), HasSubstr("all 4 agree")));
  EXPECT_THAT(passes({"run", "--load-outputs", "whole.json", "parts.json"}), HasSubstr("agree"));
  // ONNX Runtime returns y alone.
  EXPECT_THAT(passes(run({"--trt-outputs", "*", "--memory-budget", "16K", "--save-outputs", "own.json"})),
              AllOf(HasSubstr("in 4 windows"), HasSubstr("Window 1 of 4 | tensor 's'"), HasSubstr("Only in trt-runner"),
                    HasSubstr(": s, r, i"), HasSubstr("1 of 1 iterations agree")));
  EXPECT_THAT(passes({"inspect", "data", "own.json"}), AllOf(HasSubstr("onnxrt-runner"), HasSubstr("trt-runner")));
  EXPECT_THAT(passes({"run", "chain.onnx", "--trt", "--trt-outputs", "s", "i", "--memory-budget", "8K"}),
              HasSubstr("in 2 windows"));
  EXPECT_THAT(fails(run({"--trt-outputs", "s", "i", "--memory-budget", "8K"})),
              AllOf(HasSubstr("is compared with 's'"), Not(HasSubstr("Window"))))
      << "without tensors in common, outputs are matched as if all fit";
  EXPECT_THAT(fails(run({"--trt-outputs", "*", "--memory-budget", "16K", "--save-engine", "all.plan"})),
              HasSubstr("each window builds an engine of its own (in --save-engine)"));
  passes(run({"--trt-outputs", "*", "--save-engine", "all.plan"}));
  EXPECT_THAT(passes({"run", "all.plan", "--trt"}), HasSubstr("i [float32"));
  EXPECT_THAT(fails(run({"--trt-outputs", "q"})), HasSubstr("TensorRT's network has no tensor 'q'"));
  EXPECT_TRUE(no_process_left());
}

TEST_F(TensorRt, AWindowMayLackALayerWithAPrecision) {
  ASSAY_NEEDS_TENSORRT_10("--layer-precisions");
  write_model("chain.onnx", kChain);
  EXPECT_THAT(passes({"run", "chain.onnx", "--onnxrt", "--trt", "--trt-outputs", "y", "--layer-precisions",
                      "node_of_y:float32", "--onnx-outputs", "*", "--memory-budget", "16K"}),
              HasSubstr("1 of 1 iterations agree"));
}

TEST_F(TensorRt, LoadedInputsMakeTheProfile) {
  passes({"run", "m.onnx", "--onnxrt", "--input-shapes", "x:[3,2]", "--save-inputs", "in.json"});
  EXPECT_THAT(passes({"run", "m.onnx", "--trt", "--onnxrt", "--load-inputs", "in.json"}),
              HasSubstr("1 of 1 iterations agree"));
  EXPECT_THAT(fails({"run", "m.onnx", "--trt", "--trt-min-shapes", "x:[1,2]", "--trt-opt-shapes", "x:[2,2]",
                     "--trt-max-shapes", "x:[2,2]", "--load-inputs", "in.json"}),
              HasSubstr("profile"))
      << "the user's profile stays";
  write_model("s.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] x, int64[2] s) => (float[A, B] y) { y = Reshape(x, s) })");
  tensor::NamedTensors inputs;
  inputs.set("x", tensor::Tensor::of<float>(tensor::ElementType::float32, {2, 3}, {1, 2, 3, 4, 5, 6}));
  inputs.set("s", tensor::Tensor::of<std::int64_t>(tensor::ElementType::int64, {2}, {3, -1}));
  write_inputs("s.json", {inputs});
  EXPECT_THAT(passes({"run", "s.onnx", "--trt", "--onnxrt", "--load-inputs", "s.json"}),
              HasSubstr("1 of 1 iterations agree"))
      << "the values of a shape tensor, too";
}

TEST_F(TensorRt, GeneratedValuesOfAShapeMakeTheProfile) {
  write_model("s.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x, int64[2] s) => (float[A, B] y) { y = Expand(x, s) })");
  EXPECT_THAT(passes({"run", "s.onnx", "--onnxrt", "--trt", "--val-range", "s:[3,3]"}),
              AllOf(HasSubstr("built for its first value, [3,3]"), HasSubstr("1 of 1 iterations agree")));
  EXPECT_THAT(passes({"run", "s.onnx", "--onnxrt", "--trt", "--input-shapes", "s:[2,5]"}),
              AllOf(HasSubstr("built for its first value, [2,5]"), HasSubstr("1 of 1 iterations agree")));
  EXPECT_THAT(passes({"run", "s.onnx", "--onnxrt", "--trt", "--input-shapes", "s:[2,5]", "--trt-min-shapes", "s:[1,1]",
                      "--trt-opt-shapes", "s:[2,2]", "--trt-max-shapes", "s:[8,8]"}),
              AllOf(Not(HasSubstr("built for")), HasSubstr("1 of 1 iterations agree")));
  EXPECT_THAT(passes({"convert", "s.onnx", "-o", "s.plan"}), HasSubstr("aren't given, so the engine is built for the"));
}

TEST_F(TensorRt, ItsMessagesAreLogged) {
  environment_["ASSAY_FAKE_TENSORRT"] = "warn";
  const std::string run = passes({"run", "m.onnx", "--trt", "--iterations", "2"});
  EXPECT_THAT(run, AllOf(HasSubstr("| TensorRT: The default stream is slow."), Not(HasSubstr("Fake GPU"))));
  EXPECT_EQ(run.find("stream is slow"), run.rfind("stream is slow")) << run;
  EXPECT_THAT(passes({"run", "m.onnx", "--trt", "-v"}), HasSubstr("TensorRT: runs on Fake GPU; NVIDIA's driver"));
  EXPECT_THAT(passes({"convert", "m.onnx", "-o", "m.plan"}),
              HasSubstr("TensorRT: The fake TensorRT has cast a weight"));
}

TEST_F(TensorRt, ItsSettingsNeedIt) {
  EXPECT_THAT(fails({"run", "m.onnx", "--onnxrt", "--trt-outputs", "s"}),
              HasSubstr("a setting of TensorRT, which doesn't run (in --trt-outputs)"));
  EXPECT_THAT(fails({"run", "m.onnx", "--trt=:fp16=1"}), HasSubstr("Use fp16=on"));
  EXPECT_THAT(fails({"run", "m.onnx", "--trt=:speed=11"}),
              AllOf(HasSubstr("TensorRT has no setting 'speed'"), HasSubstr("options without dashes")));
  EXPECT_THAT(fails({"run", "m.onnx", "--trt", "--trt-device", "1"}), HasSubstr("there is no GPU 1"));
}

}  // namespace
}  // namespace assay::e2e

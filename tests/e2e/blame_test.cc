// debug optimizers, precision, versions and build, with real engines.
#include <gmock/gmock.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "model/load.h"
#include "model/weights.h"
#include "tests/e2e/workspace.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"
#include "tests/support/processor.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class BlameTest : public EngineWorkspace {
 protected:
  // Returns the JSON on standard output.
  nlohmann::json found(Words words, int status, const Words& check = {}) const {
    for (const char* word : {"--format", "json", "--verbosity", "critical"}) words.emplace_back(word);
    words.insert(words.end(), check.begin(), check.end());
    const Finished done = assay(words);
    EXPECT_EQ(done.status, status) << done.output;
    return nlohmann::json::parse(done.output, nullptr, /*allow_exceptions=*/false);
  }

  // A model in which ONNX Runtime replaces Gelu by FastGelu, if asked to, which differs by up to 5e-4.
  void write_gelu() const {
    write_model("gelu.onnx", R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]>
      g (float[64] x) => (float[64] y) {
        a = Identity(x)
        b = com.microsoft.Gelu(a)
        y = Relu(b)
      })");
  }
};

TEST_F(BlameTest, NamesTheOptimizerThatFusesQuantizedNodes) {
  const auto shared = test::shared_dir();
  if (!shared) GTEST_SKIP() << test::kNoSharedDir;
  const std::string model = (*shared / "models/qdq_multi_consumer.onnx").string();
  const auto json = found({"debug", "optimizers", model, "--onnxrt", "--atol", "1e-2", "--rtol", "1e-2"}, 1);
  EXPECT_EQ(json["level"], "ORT_ENABLE_EXTENDED");
  EXPECT_EQ(json["guilty"], nlohmann::json({"QDQSelectorActionTransformer"})) << json.dump(2);
  EXPECT_EQ(json["operators"]["QLinearConv"]["without"], 0);
  // The command that it suggests agrees with the reference.
  EXPECT_THAT(json["next"].get<std::string>(),
              HasSubstr("--session-config optimization.disable_specified_optimizers=QDQSelectorActionTransformer"));
}

TEST_F(BlameTest, NamesTheOptimizerThatApproximatesGelu) {
  write_gelu();
  const auto json = found({"debug", "optimizers", "gelu.onnx", "--onnxrt", "--session-config",
                           "optimization.enable_gelu_approximation=1", "--val-range", "[-3,3]"},
                          1);
  EXPECT_EQ(json["guilty"], nlohmann::json({"GeluApproximation"})) << json.dump(2);
  EXPECT_EQ(json["operators"]["FastGelu"]["with"], 1);
  const Finished text = assay({"debug", "optimizers", "gelu.onnx", "--onnxrt", "--session-config",
                               "optimization.enable_gelu_approximation=1", "--val-range", "[-3,3]"});
  EXPECT_EQ(text.status, 1);
  EXPECT_THAT(text.output, AllOf(HasSubstr("ORT_ENABLE_BASIC: outputs agree"), HasSubstr("GUILTY: GeluApproximation"),
                                 HasSubstr("1 of 1 output differs: "), HasSubstr("1 Gelu instead of 0")));
}

// Another value for the same session configuration entry would replace the one that the user has given.
TEST_F(BlameTest, TheSuggestedCommandStillDisablesWhatTheUserDisables) {
  write_gelu();
  const std::string gelu = "optimization.enable_gelu_approximation=1";
  const std::string disabled = "optimization.disable_specified_optimizers=ConstantFolding";
  for (const Words& engine : {Words{"--onnxrt", "--session-config", gelu, disabled},
                              Words{"--onnxrt=:config." + gelu + ",config." + disabled}}) {
    Words words = {"debug", "optimizers", "gelu.onnx", "--val-range", "[-3,3]"};
    words.insert(words.end(), engine.begin(), engine.end());
    const auto json = found(words, 1);
    EXPECT_EQ(json["guilty"], nlohmann::json({"GeluApproximation"})) << json.dump(2);
    EXPECT_THAT(json["next"].get<std::string>(), AllOf(HasSubstr("assay run gelu.onnx"), HasSubstr("config." + gelu),
                                                       HasSubstr("config." + disabled + ";GeluApproximation"),
                                                       HasSubstr("--val-range"), Not(HasSubstr("--session-config"))));
  }
}

TEST_F(BlameTest, ACheckJudgesTheOptimisedModel) {
  write_gelu();
  write("check.sh",
        "assay inspect model polygraphy_debug.onnx --show layers > layers.txt && ! grep -q FastGelu layers.txt\n");
  const Words words = {"debug",
                       "optimizers",
                       "gelu.onnx",
                       "--onnxrt",
                       "--session-config",
                       "optimization.enable_gelu_approximation=1",
                       "--format",
                       "json",
                       "--verbosity",
                       "critical"};
  Words with_check = words;
  with_check.insert(with_check.end(), {"--check", "bash", "check.sh"});
  const Finished done = assay(with_check);
  EXPECT_EQ(done.status, 1) << done.output;
  const auto json = nlohmann::json::parse(done.output, nullptr, false);
  EXPECT_EQ(json["guilty"], nlohmann::json({"GeluApproximation"})) << done.output;
  EXPECT_THAT(files(), Not(Contains("polygraphy_debug.onnx")));
  // A check that fails without optimisations says nothing about them.
  write("check.sh", "exit 1\n");
  EXPECT_THAT(assay(with_check).output, HasSubstr("the check fails without optimisations, too"));
  Words without_effect = words;
  without_effect.insert(without_effect.end(), {"--seed", "3", "--check", "true"});
  EXPECT_THAT(assay(without_effect).output, HasSubstr("would have no effect (in --seed)"));
  EXPECT_EQ(assay(without_effect).status, 1);
}

TEST_F(BlameTest, SaysThatNoLevelMakesADifference) {
  write_gelu();
  const Finished done = assay({"debug", "optimizers", "gelu.onnx", "--onnxrt"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("NO DIFFERENCE"));
}

class BlameOpenVinoTest : public BlameTest {
 protected:
  void SetUp() override {
    BlameTest::SetUp();
    if (test::fetched_openvino().empty()) GTEST_SKIP() << test::kNoOpenVino;
  }
};

TEST_F(BlameTest, EqualInfinitiesAreNoDifference) {
  write_model("mask.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[4] x) => (float[4] y) { n = Sub(x, x)  y = Log(n) })");
  EXPECT_EQ(found({"debug", "optimizers", "mask.onnx", "--onnxrt"}, 0)["level"], "");
}

// Two runs that return NaN in the same place are the same.
TEST_F(BlameTest, EqualNaNsAreNoDifference) {
  write_model("nan.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[4] x) => (float[4] y) { a = Neg(x)  n = Sub(a, x)  y = Log(n) })");
  EXPECT_EQ(found({"debug", "optimizers", "nan.onnx", "--onnxrt"}, 0)["level"], "");
}

TEST_F(BlameOpenVinoTest, NamesThePrecisionHint) {
  const std::string model = "model.onnx";
  write_model(model, R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[64,64] x) => (float[64,64] y) { h = MatMul(x, x) y = MatMul(h, x) })");
  const Finished done =
      assay({"debug", "optimizers", model, "--openvino", "--format", "json", "--verbosity", "critical"});
  const auto json = nlohmann::json::parse(done.output, nullptr, false);
  const Finished run = assay({"run", model, "--openvino"});
  const bool is_reduced = run.output.find("INFERENCE_PRECISION_HINT=f32 computes in float32") != std::string::npos;
  if (is_reduced) {  // on processors with instructions for it
    EXPECT_EQ(done.status, 1);
    EXPECT_TRUE(json["guilty"].contains("INFERENCE_PRECISION_HINT")) << done.output;
  } else {
    EXPECT_EQ(done.status, 0);
  }
}

TEST_F(BlameOpenVinoTest, RunSaysThatThePrecisionIsReducedAndHowToChangeIt) {
  write_model("model.onnx",
              R"(<ir_version: 8, opset_import: ["" : 17]> g (float[4] x) => (float[4] y) { y = Exp(x) })");
  const Finished reduced =
      assay({"run", "model.onnx", "--openvino", "--openvino-config", "INFERENCE_PRECISION_HINT=bf16"});
  EXPECT_EQ(reduced.status, 0) << reduced.output;
  const bool is_reduced = reduced.output.find("computes float32 nodes in bf16") != std::string::npos;
  if (!is_reduced && !test::has_bfloat16()) GTEST_SKIP() << test::kNoBfloat16;
  EXPECT_THAT(reduced.output, AllOf(HasSubstr("computes float32 nodes in bf16"),
                                    HasSubstr("--openvino-config INFERENCE_PRECISION_HINT=f32")));
  const Finished whole =
      assay({"run", "model.onnx", "--openvino", "--openvino-config", "INFERENCE_PRECISION_HINT=f32"});
  EXPECT_THAT(whole.output, Not(HasSubstr("INFERENCE_PRECISION_HINT=f32 computes")));
}

class BlamePrecisionTest : public BlameTest {
 protected:
  // Multiplies by 2^20 and divides again: `large` overflows in float16.
  void SetUp() override {
    BlameTest::SetUp();
    write_model("model.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[16] x) => (float[16] y) <float up = {1024}, float down = {0.0009765625}> {
        [first] a = Exp(x)
        [second] b = Mul(a, up)
        [third] large = Mul(b, up)
        [fourth] c = Mul(large, down)
        [fifth] d = Mul(c, down)
        [sixth] y = Sqrt(d)
      })");
  }
};

TEST_F(BlamePrecisionTest, NamesTheNodesThatOverflowAndSavesTheMixedModel) {
  const Finished done = assay({"debug", "precision", "model.onnx", "--onnxrt", "-o", "mixed.onnx"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("2 of 6 nodes have to stay in float32"), HasSubstr("Mul 'third'"),
                                 HasSubstr("Mul 'fourth'"), Not(HasSubstr("Mul 'second'"))));
  const auto mixed = model::load(path("mixed.onnx"));
  ASSERT_TRUE(mixed) << mixed.error().message();
  EXPECT_EQ(assay({"run", "mixed.onnx", "--onnxrt"}).status, 0);
}

TEST_F(BlamePrecisionTest, PrintsJson) {
  const auto json = found({"debug", "precision", "model.onnx", "--onnxrt", "-o", "mixed.onnx"}, 0);
  EXPECT_EQ(json["names"], nlohmann::json({"third", "fourth"})) << json.dump(2);
  EXPECT_EQ(json["precision"], "float32");
  EXPECT_EQ(json["candidates"], 6);
  EXPECT_EQ(json["stopped"], false);
  EXPECT_EQ(json["model"], "mixed.onnx");
  ASSERT_EQ(json["nodes"].size(), 2U);
  EXPECT_EQ(json["nodes"][0]["op_type"], "Mul");
  EXPECT_THAT(json["nodes"][0]["description"].get<std::string>(), HasSubstr("Mul 'third'"));
  EXPECT_GT(json["nodes"][0]["largest"], 65504);
}

// ONNX Runtime accepts such models, and exporters write them.
TEST_F(BlamePrecisionTest, MeasuresAModelInWhichTwoConstantsHaveOneName) {
  write_model("twice.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[16] x) => (float[16] y) {
        up = Constant <value = float {1024}> ()
        [first] a = Mul(x, up)
        up = Constant <value = float {1024}> ()
        [large] b = Mul(a, up)
        [small] c = Div(b, up)
        [last] y = Div(c, up)
      })");
  const Finished done = assay({"debug", "precision", "twice.onnx", "--onnxrt", "--val-range", "[0.5,1]"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("Mul 'large'"), HasSubstr("Div 'small'"), HasSubstr(": values up to ")));
}

TEST_F(BlamePrecisionTest, TheOtherModesKeepTheNodesUpToTheLast) {
  for (const char* mode : {"bisect", "linear"}) {
    const Finished forward = assay({"debug", "precision", "model.onnx", "--onnxrt", "--mode", mode});
    EXPECT_THAT(forward.output, HasSubstr("if the first 4 of 6 nodes stay in float32")) << forward.output;
    const Finished reverse =
        assay({"debug", "precision", "model.onnx", "--onnxrt", "--mode", mode, "--dir", "reverse"});
    EXPECT_THAT(reverse.output, HasSubstr("if the last 4 of 6 nodes stay in float32")) << reverse.output;
  }
  const Finished bisected = assay({"debug", "precision", "model.onnx", "--onnxrt", "--dir", "reverse"});
  EXPECT_THAT(bisected.output, HasSubstr("if the last 4 of 6 nodes stay in float32")) << bisected.output;
}

TEST_F(BlamePrecisionTest, ACheckJudgesTheMixedModelInAFile) {
  write("check.sh", R"(#!/bin/bash
assay inspect model polygraphy_debug.onnx --show layers > layers.txt || exit 3
# Passes if 'third' reads float32, that is, if a Cast of its input comes before it.
grep -q 'b/float32' layers.txt
)");
  const Finished done = assay({"debug", "precision", "model.onnx", "--check", "bash", "check.sh"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("1 of 6 nodes has to stay in float32"), HasSubstr("Mul 'third'")));
  EXPECT_THAT(files(), Not(Contains("polygraphy_debug.onnx")));
  // The replay file answers all checks of a second run.
  write("check.sh", "exit 1\n");
  const Finished again = assay({"debug", "precision", "model.onnx", "--load-debug-replay",
                                "polygraphy_debug_replay.json", "--check", "bash", "check.sh"});
  EXPECT_THAT(again.output, HasSubstr("1 of 6 nodes has to stay in float32")) << again.output;
}

class BlameQuantizedTest : public EngineWorkspace {
 protected:
  void SetUp() override {
    EngineWorkspace::SetUp();
    write_model("model.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[64] x) => (float[64] y) <float half = {0.5}> {
        [first] a = Mul(x, half)
        [second] b = Sqrt(a)
        [third] y = Neg(b)
      })");
    // Only the values that 'second' reads are rounded too coarsely, to 0 and 1.
    write_model("quantized.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[64] x) => (float[64] y) <float half = {0.5}, float fine = {0.004}, float coarse = {1}> {
        xq = QuantizeLinear(x, fine)
        xd = DequantizeLinear(xq, fine)
        [first] a = Mul(xd, half)
        aq = QuantizeLinear(a, coarse)
        ad = DequantizeLinear(aq, coarse)
        [second] b = Sqrt(ad)
        bq = QuantizeLinear(b, fine)
        bd = DequantizeLinear(bq, fine)
        [third] y = Neg(bd)
      })");
  }
};

TEST_F(BlameQuantizedTest, NamesTheNodeThatCannotBeQuantizedAndSavesTheMixedModel) {
  const Finished done =
      assay({"debug", "precision", "model.onnx", "--quantized", "quantized.onnx", "--onnxrt", "-o", "mixed.onnx"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("The quantized model differs in 3 nodes"),
                                 HasSubstr("1 of 3 nodes has to stay in float32"), HasSubstr("Sqrt 'second' (node #1)"),
                                 HasSubstr("nodes_to_exclude=[\"second\"]")));
  EXPECT_EQ(assay({"run", "model.onnx", "--onnxrt", "--save-inputs", "in.json", "--save-outputs", "out.json"}).status,
            0);
  const auto passes = [&](const char* model) {
    return assay(
               {"run", model, "--onnxrt", "--load-inputs", "in.json", "--load-outputs", "out.json", "--compare", "snr"})
               .status == 0;
  };
  EXPECT_TRUE(passes("mixed.onnx"));
  EXPECT_FALSE(passes("quantized.onnx"));
}

TEST_F(BlameQuantizedTest, NamesOfNodesNeedNotBeUtf8) {
  for (const char* file : {"model.onnx", "quantized.onnx"}) {
    write(file, base::replace_all(read(file), "second", "sec\xffnd"));
  }
  const Finished done = assay({"debug", "precision", "model.onnx", "--quantized", "quantized.onnx", "--onnxrt"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("nodes_to_exclude=[\"sec\xef\xbf\xbdnd\"]"));
}

TEST_F(BlameQuantizedTest, ToleranceForElementsCanBeSetInstead) {
  const Finished done = assay({"debug", "precision", "model.onnx", "--quantized", "quantized.onnx", "--onnxrt",
                               "--atol", "1e-6", "--rtol", "0"});
  EXPECT_THAT(done.output, HasSubstr("3 of 3 nodes have to stay in float32")) << done.output;
}

TEST_F(BlameQuantizedTest, ACheckJudgesTheMixedModelInAFile) {
  write("check.sh", "! assay inspect model polygraphy_debug.onnx --show layers | grep -q coarse\n");
  const Finished done =
      assay({"debug", "precision", "model.onnx", "--quantized", "quantized.onnx", "--check", "bash", "check.sh"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("1 of 3 nodes has to stay in float32"), HasSubstr("Sqrt 'second'")));
}

TEST_F(BlameQuantizedTest, RefusesOptionsForInputsThatACheckDoesNotGet) {
  const std::vector<Words> unused = {
      {"--input-shapes", "x:[64]"},       {"--inputs", "x:[64]"}, {"--seed", "3"},
      {"--val-range", "[0,2]"},           {"--iterations", "2"},  {"--load-inputs", "none.json"},
      {"--data-loader-script", "none.py"}};
  for (const Words& option : unused) {
    Words words = {"debug", "precision", "model.onnx", "--quantized", "quantized.onnx"};
    words.insert(words.end(), option.begin(), option.end());
    words.insert(words.end(), {"--check", "true"});
    EXPECT_THAT(fails(words),
                HasSubstr("a check judges quantized models without inputs from this command (in " + option.front()));
  }
}

TEST_F(BlameQuantizedTest, RefusesWhatDoesNotFit) {
  const auto refused = [&](const Words& words) {
    Words all = {"debug", "precision", "model.onnx", "--onnxrt"};
    all.insert(all.end(), words.begin(), words.end());
    const Finished done = assay(all);
    EXPECT_EQ(done.status, 1) << done.output;
    return done.output;
  };
  EXPECT_THAT(refused({"--quantized", "none.onnx"}), HasSubstr("none.onnx"));
  EXPECT_THAT(refused({"--quantized", "quantized.onnx", "-o", "quantized.onnx"}), HasSubstr("--quantized"));
  EXPECT_THAT(refused({"--quantized", "quantized.onnx", "--precision", "float16"}),
              HasSubstr("nodes are kept as the model has them before quantization"));
  write_model("other.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[64] x) => (float[64] z) { z = Abs(x) })");
  EXPECT_THAT(refused({"--quantized", "other.onnx"}),
              HasSubstr("no tensor is computed by other nodes than in the float model (in other.onnx)"));
}

TEST_F(BlamePrecisionTest, AModelThatFitsNeedsNoFloat32) {
  write_model("fits.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[16] x) => (float[16] y) { a = Exp(x) y = Sqrt(a) })");
  const Finished done =
      assay({"debug", "precision", "fits.onnx", "--onnxrt", "--shape-inference", "--no-onnxruntime-shape-inference"});
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.output, HasSubstr("No node has to stay in float32"));
}

TEST_F(BlameTest, NamesTheFirstVersionThatFails) {
  const std::string old_library = test::variable("ASSAY_OLD_ONNXRUNTIME_LIB");
  const std::string new_library = test::fetched_onnxruntime();
  if (old_library.empty() || new_library.empty()) GTEST_SKIP() << "no two versions of ONNX Runtime";
  // Operator set 22 is newer than the old version.
  write_model("model.onnx", R"(<ir_version: 10, opset_import: ["" : 22]>
    g (float[4] x) => (float[4] y) { y = Exp(x) })");
  const auto json = found({"debug", "versions", "model.onnx", "--onnxrt-libs", new_library, old_library}, 1);
  ASSERT_EQ(json["versions"].size(), 2);
  EXPECT_EQ(json["first_fails"], json["versions"][0]["version"]) << json.dump(2);
  EXPECT_TRUE(json["versions"][1]["passes"].get<bool>());
  write_model("plain.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (float[4] y) { y = Exp(x) })");
  const auto same = found({"debug", "versions", "plain.onnx", "--onnxrt-libs", new_library, old_library}, 0);
  EXPECT_TRUE(same["first_fails"].is_null());
  // A check gets the library in the variable that `assay run` reads.
  write("check.sh",
        "assay run plain.onnx --onnxrt && [ \"$ASSAY_ONNXRUNTIME_LIB\" != '" + std::string(new_library) + "' ]\n");
  const auto checked = found({"debug", "versions", "plain.onnx", "--onnxrt-libs", new_library, old_library}, 1,
                             {"--check", "bash", "check.sh"});
  EXPECT_EQ(checked["first_fails"], checked["versions"][1]["version"]) << checked.dump(2);
  // Results that no version returns.
  write_model("other.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (float[4] y) { y = Neg(x) })");
  EXPECT_EQ(assay({"run", "other.onnx", "--onnxrt", "--save-outputs", "golden.json"}).status, 0);
  const Finished differs = assay(
      {"debug", "versions", "plain.onnx", "--onnxrt-libs", new_library, old_library, "--load-outputs", "golden.json"});
  EXPECT_EQ(differs.status, 1);
  EXPECT_THAT(differs.output, AllOf(HasSubstr("FIRST FAILURE: version"), HasSubstr("It is the oldest one")));
}

TEST_F(BlameTest, BuildsEnginesAndSortsThem) {
  write_gelu();
  write("check.sh", R"script(#!/bin/bash
[ -s polygraphy_debug.onnx ] || exit 9
echo >> count
[ "$(wc -l < count)" -lt 3 ]
)script");
  const Finished done = assay({"debug", "build", "gelu.onnx", "--onnxrt", "--until", "bad", "--artifacts",
                               "polygraphy_debug.onnx", "--art-dir", "sorted", "--check", "bash", "check.sh"});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("3 iterations: 2 passed, 1 failed"));
  std::size_t good = 0;
  std::size_t bad = 0;
  for (const std::string& name : files()) {
    good += name.starts_with("sorted/good/") ? 1 : 0;
    bad += name.starts_with("sorted/bad/") ? 1 : 0;
    if (name.starts_with("sorted/") && name.ends_with(".onnx")) {
      const auto model = model::load(path(name));
      ASSERT_TRUE(model) << name;
      EXPECT_EQ(model->graph().node_size(), 2) << "not optimised";
    }
  }
  EXPECT_EQ(good, 2U);
  EXPECT_EQ(bad, 1U);
}

TEST_F(BlameTest, BuildsAModelThatIsConvertedFirst) {
  write_gelu();
  const Finished done = assay({"debug", "build", "gelu.onnx", "--onnxrt", "--fp-to-fp16", "--until", "1", "--artifacts",
                               "polygraphy_debug.onnx", "--art-dir", "sorted", "--check", "true"});
  EXPECT_EQ(done.status, 0) << done.output;
  for (const std::string& name : files()) {
    if (!name.starts_with("sorted/good/") || !name.ends_with(".onnx")) continue;
    const Finished layers = assay({"inspect", "model", name, "--show", "layers"});
    EXPECT_THAT(layers.output, HasSubstr("float16"));
    return;
  }
  ADD_FAILURE() << "no engine was sorted";
}

// The model would lack its weights, so every check of it would fail.
TEST_F(BlameTest, AnEngineInTwoFilesIsRefused) {
  write_model("folded.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[512] x) => (float[512] y) {
      shape = Constant <value = int64[1] {512}> ()
      two = ConstantOfShape <value = float[1] {2}> (shape)
      y = Add(x, two)
    })");
  const Finished done = assay({"debug", "build", "folded.onnx", "--onnxrt", "--session-config",
                               "session.optimized_model_external_initializers_file_name=w.bin", "--until", "2",
                               "--check", "assay", "run", "polygraphy_debug.onnx", "--onnxrt"});
  EXPECT_EQ(done.status, 1) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("'w.bin'"), Not(HasSubstr("Iteration 1"))));
}

TEST_F(BlameTest, WithoutBadReplaysThereIsNothingToCompare) {
  write("good/empty.json", "");
  write("bad/note.txt", "");
  const Finished done = assay({"inspect", "diff-tactics"});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.output, HasSubstr("there are no replays that are known to be bad (in bad)"));
}

TEST_F(BlameTest, AStoppedSearchOfPrecisionsSaysHowToContinue) {
  write_gelu();
  write("check.sh", "[ -e begun ] && exec sleep 60\ntouch begun\nexit 1\n");
  const auto running = start({"debug", "precision", "gelu.onnx", "--check", "sh", "check.sh"});
  ASSERT_TRUE(running->wait_for("0 nodes in float32: FAILS"));
  running->send(SIGINT);
  const Finished stopped = running->finish();
  EXPECT_EQ(stopped.status, 130);
  EXPECT_THAT(stopped.output,
              HasSubstr("To continue, run it again with --load-debug-replay polygraphy_debug_replay.json"));
  write("check.sh", "exit 0\n");
  const Finished again = assay({"debug", "precision", "gelu.onnx", "--load-debug-replay",
                                "polygraphy_debug_replay.json", "--check", "sh", "check.sh"});
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_THAT(again.output, HasSubstr("Reusing 1 verdict from polygraphy_debug_replay.json"));
}

TEST_F(BlamePrecisionTest, AStoppedSearchSavesTheBestModelSoFar) {
  // Passes if all nodes or the first three stay in float32, as bisection tries them, and then waits to be stopped.
  write("check.sh", R"(#!/bin/bash
echo >> checks
case $(wc -l < checks) in 1) exit 1 ;; 2 | 3) exit 0 ;; *) exec sleep 60 ;; esac
)");
  const auto running = start(
      {"debug", "precision", "model.onnx", "--mode", "bisect", "-o", "mixed.onnx", "--check", "bash", "check.sh"});
  ASSERT_TRUE(running->wait_for("3 nodes in float32: passes"));
  running->send(SIGINT);
  const Finished stopped = running->finish();
  EXPECT_EQ(stopped.status, 130);
  EXPECT_THAT(stopped.output, AllOf(HasSubstr("The best so far: 3 of 6 nodes stay in float32"),
                                    HasSubstr("--load-debug-replay polygraphy_debug_replay.json")));
  EXPECT_EQ(assay({"run", "mixed.onnx", "--onnxrt"}).status, 0);
}

TEST_F(BlameTest, AFolderThatArtifactsCannotBeMovedToIsRefusedFirst) {
  const Finished done = assay({"debug", "repeat", "--until", "1", "--artifacts", "a.log", "--artifacts-dir",
                               "/proc/artifacts", "--check", "touch", "checked"});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.output, HasSubstr("The option that names the file is --artifacts-dir"));
  EXPECT_FALSE(std::filesystem::exists(path("checked")));
}

TEST_F(BlameTest, AnEngineThatDoesNotStartIsNoBadEngine) {
  write_gelu();
  const Finished done =
      assay({"debug", "build", "gelu.onnx", "--onnxrt", "--providers", "nothing", "--until", "bad", "--check", "true"});
  EXPECT_NE(done.status, 0);
  EXPECT_THAT(done.output, AllOf(HasSubstr("failed while starting"), Not(HasSubstr("Iteration 1"))));
}

}  // namespace
}  // namespace assay::e2e

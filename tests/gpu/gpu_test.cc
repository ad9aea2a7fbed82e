// Runs the built program with TensorRT on a GPU. gpu_workspace.h says how these tests run without one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <string>

#include "tests/gpu/gpu_workspace.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr auto kSmall = R"(<ir_version: 8, opset_import: ["" : 17]>
  small (float[N, 4] x) => (float[N, 4] y) <float[4] w = {1, -2, 3, -4}> {
    a = Add(x, w) b = Relu(a) c = Identity(b) y = Add(c, x)
  })";

// TensorRT has no Det, and ONNX Runtime has it.
constexpr auto kUnsupported = R"(<ir_version: 8, opset_import: ["" : 17]>
  unsupported (float[3, 2, 2] x) => (float[3] y) {
    a = Add(x, x) b = Relu(a) c = Identity(b) d = Add(c, x) e = Det(d) f = Identity(e) g = Relu(f) h = Add(g, g)
    i = Relu(h) j = Identity(i) k = Add(j, e) y = Relu(k)
  })";

// Inputs are around 20,000, so `e` + 61,440 is more than float16 has. Only the addition of `much` overflows.
constexpr auto kOverflow = R"(<ir_version: 8, opset_import: ["" : 17]>
  overflow (float16[2, 4] x) => (float16[2, 4] y) <float16[1] one = {15360}, float16[1] much = {31616}> {
    a = Add(x, one) b = Identity(a) c = Add(b, one) d = Identity(c) e = Add(d, one) f = Add(e, much)
    g = Identity(f) h = Add(g, one) i = Identity(h) y = Add(i, one)
  })";

// Without it, no other test runs, and each says so.
class GpuProbe : public Gpu {
 protected:
  void SetUp() override {
    EngineWorkspace::SetUp();
    if (!IsSkipped()) choose_tensorrt();
  }
};

TEST_F(GpuProbe, RunsAModelWithOneNode) {
  const Probe found = probe();
  if (!found.missing.empty()) GTEST_SKIP() << found.missing;
  std::cout << found.output << std::endl;  // TensorRT's own messages, too
  EXPECT_TRUE(found.passed) << "TensorRT is here, but can't run a model with one node";
}

TEST_F(Gpu, EnginesAreSavedShownAndRun) {
  write_model("m.onnx", kSmall);
  passes({"run", "m.onnx", "--onnxrt", "--trt", "--save-engine", "m.plan", "--save-inputs", "i.json"});
  passes({"run", "m.onnx", "--onnxrt", "--load-inputs", "i.json", "--save-outputs", "o.json"});
  EXPECT_THAT(passes({"run", "m.plan", "--trt", "--load-inputs", "i.json", "--load-outputs", "o.json"}),
              HasSubstr("1 of 1 iterations agree"));
  EXPECT_THAT(passes({"inspect", "model", "m.plan", "--show", "layers"}),
              AllOf(HasSubstr("TensorRT engine"), HasSubstr("Profiles: 1")));
  EXPECT_THAT(passes({"debug", "locate", "m.onnx", "--onnxrt", "--trt"}), HasSubstr("NO DIFFERENCE"));
}

TEST_F(Gpu, ProfilesTakeTheirRangesOfShapes) {
  write_model("m.onnx", kSmall);
  Words convert = {"convert", "m.onnx", "-o", "m.plan"};
  for (const auto& [option, first, second] : {std::array{"--trt-min-shapes", "x:[1,4]", "x:[8,4]"},
                                              {"--trt-opt-shapes", "x:[2,4]", "x:[16,4]"},
                                              {"--trt-max-shapes", "x:[4,4]", "x:[32,4]"}}) {
    convert.insert(convert.end(), {option, first, option, second});
  }
  passes(convert);
  for (const char* rows : {"1", "4", "8", "32"}) {
    SCOPED_TRACE(rows);
    passes({"run", "m.onnx", "--onnxrt", "--input-shapes", std::string("x:[") + rows + ",4]", "--save-inputs", "i.json",
            "--save-outputs", "o.json"});
    EXPECT_THAT(passes({"run", "m.plan", "--trt", "--load-inputs", "i.json", "--load-outputs", "o.json"}),
                HasSubstr("1 of 1 iterations agree"));
  }
  EXPECT_THAT(fails({"run", "m.plan", "--trt", "--input-shapes", "x:[6,4]"}),
              HasSubstr("none of the engine's 2 profiles takes inputs of these shapes"));
  EXPECT_THAT(fails({"run", "m.plan", "--trt", "--input-shapes", "x:[2,4]", "--optimization-profile", "1"}),
              HasSubstr("the engine failed while running"));
}

TEST_F(Gpu, AnUnsupportedOperatorIsWhatAReductionLeaves) {
  write_model("m.onnx", kUnsupported);
  passes({"run", "m.onnx", "--onnxrt"});
  EXPECT_THAT(fails({"run", "m.onnx", "--trt"}), HasSubstr("Det: TensorRT doesn't support this operator (node 4)"));
  EXPECT_THAT(passes(reduction("m.onnx", {"-o", "min.onnx"}, {})), HasSubstr("Reduced 12 nodes to 1"));
  EXPECT_THAT(operators("min.onnx"), ElementsAre("Det"));
}

TEST_F(Gpu, AnOverflowInFloat16IsWhatAReductionLeaves) {
  write_model("m.onnx", kOverflow);
  const Words check = {"--strongly-typed", "--validate", "--val-range", "[20000,20100]"};
  Words run = {"run", "m.onnx", "--trt"};
  run.insert(run.end(), check.begin(), check.end());
  EXPECT_THAT(fails(run), HasSubstr("holds 8 infinite among 8 values"));
  EXPECT_THAT(passes(reduction("m.onnx", {"-o", "min.onnx"}, check)),
              AllOf(HasSubstr("Reduced 10 nodes to 1"), HasSubstr("Add 'f'")));
}

// With --error-on-timing-cache-miss, TensorRT builds only what the cache knows. How much faster that is isn't asserted,
// but printed.
TEST_F(Gpu, ASecondBuildUsesTheTimingCache) {
  const auto seconds = [this](const Words& words) {
    const auto start = std::chrono::steady_clock::now();
    passes(words);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  write_model("m.onnx", convolutions());
  write("empty", "");
  fails({"convert", "m.onnx", "-o", "m.plan", "--load-timing-cache", "empty", "--error-on-timing-cache-miss"});
  const double first = seconds({"convert", "m.onnx", "-o", "m.plan", "--save-timing-cache", "cache"});
  const std::string cache = read("cache");
  EXPECT_FALSE(cache.empty());
  const double second =
      seconds({"convert", "m.onnx", "-o", "m.plan", "--load-timing-cache", "cache", "--error-on-timing-cache-miss"});
  std::cout << "note: with a timing cache, convert takes " << second / first << " of the time" << std::endl;
  passes({"convert", "m.onnx", "-o", "m.plan", "--save-timing-cache", "cache"});
  // TensorRT stores more than times, such as compiled kernels, and may add to them.
  EXPECT_GE(read("cache").size(), cache.size());
  if (on_stand_in()) {
    EXPECT_EQ(read("cache").size(), cache.size()) << "it knew everything before";
  }
}

// A diagonal matrix, so that no rounding depends on the order of a sum. TensorRT may keep a few weights in the plan.
TEST_F(Gpu, AnEngineWithoutWeightsGetsThoseOfItsModel) {
  std::string weights;
  for (int i = 0; i < 64 * 64; ++i) weights += (i == 0 ? "" : ", ") + std::to_string(i % 65 == 0 ? 1 + i / 65 : 0);
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 64] x) => (float[1, 64] y) <float[64, 64] w = {)" +
                            weights + R"(}, float[1] b = {10}> {
      m = MatMul(x, w) s = Add(m, b) y = Relu(s) })");
  passes({"run", "m.onnx", "--onnxrt", "--trt", "--strip-plan", "--save-inputs", "i.json"});
  passes({"run", "m.onnx", "--onnxrt", "--load-inputs", "i.json", "--save-outputs", "o.json"});
  passes({"convert", "m.onnx", "-o", "m.plan", "--strip-plan"});
  const Words run = {"run", "m.plan", "--trt", "--load-inputs", "i.json", "--load-outputs", "o.json"};
  Words refitted = run;
  refitted.insert(refitted.end(), {"--refit-from-onnx", "m.onnx"});
  EXPECT_THAT(passes(refitted), HasSubstr("1 of 1 iterations agree"));
  // Before 10.14, TensorRT doesn't tell that weights are missing, and computes something else.
  const Finished without = assay(run);
  if (without.output.find("the engine failed while") != std::string::npos || on_stand_in()) {
    EXPECT_THAT(without.output, HasSubstr("--refit-from-onnx"));
  } else {
    std::cout << "note: ran without weights, with status " << without.status << std::endl;
  }
  passes({"inspect", "model", "m.plan"});
}

// The check kills the reduction, so that the moment doesn't depend on the speed of the machine.
class Killed : public Gpu {
 protected:
  // Reduces m.onnx in a folder of its own, and kills the reduction in check number `kill_at`.
  Finished reduce(const std::string& folder, const std::string& kill_at) {
    write("start.sh", R"sh(mkdir -p "$FOLDER" && cd "$FOLDER" && echo $$ > pid && exec "$@")sh");
    write("check.sh", R"sh(echo check >> checks
      [ "$(wc -l < checks)" -ne "$KILL_AT" ] || kill -9 "$(cat pid)"
      exec "$@")sh");
    environment_["FOLDER"] = folder;
    environment_["KILL_AT"] = kill_at;
    Words words = {"sh", path("start.sh").string()};
    const Words reduction = with_program({"debug", "reduce", path("m.onnx").string(), "-o", "min.onnx", "--check"});
    const Words check = with_program({"run", "polygraphy_debug.onnx", "--trt"});
    words.insert(words.end(), reduction.begin(), reduction.end());
    words.insert(words.end(), {"sh", path("check.sh").string()});
    words.insert(words.end(), check.begin(), check.end());
    Finished finished = run(words);
    EXPECT_TRUE(no_process_left());
    return finished;
  }
  std::ptrdiff_t checks(const std::string& folder) const {
    const std::string lines = read(folder + "/checks");
    return std::ranges::count(lines, '\n');
  }
};

TEST_F(Killed, AReductionResumes) {
  write_model("m.onnx", kUnsupported);
  EXPECT_EQ(reduce("whole", "0").status, 0);
  EXPECT_EQ(reduce("killed", "4").status, 128 + SIGKILL);
  EXPECT_EQ(checks("killed"), 4);
  const Finished resumed = reduce("killed", "0");
  EXPECT_EQ(resumed.status, 0) << resumed.output;
  EXPECT_EQ(read("killed/min.onnx"), read("whole/min.onnx"));
  EXPECT_EQ(checks("killed"), checks("whole") + 1) << "only the check that ran at the kill runs again";
}

class GpuLimits : public Gpu {};

// On a GPU, 128 outputs of 4 GiB each. The engine itself is built for small shapes, so that building it doesn't fail.
TEST_F(GpuLimits, TooLittleMemoryOfTheGpuIsAnOutcome) {
  std::string outputs;
  std::string nodes;
  for (int i = 0; i < 128; ++i) {
    const std::string name = "y" + std::to_string(i);
    outputs += (i == 0 ? "float[N, M] " : ", float[N, M] ") + name;
    nodes += " " + name + " = Add(x, w)";
  }
  write_model("m.onnx", "<ir_version: 8, opset_import: [\"\" : 17]> large (float[N, 1] x, float[1, M] w) => (" +
                            outputs + ") {" + nodes + " }");
  Words words = {"run", "m.onnx", "--trt", "--trt-min-shapes", "x:[1,1]", "w:[1,1]"};
  words.insert(words.end(),
               {"--trt-opt-shapes", "x:[1,1]", "w:[1,1]", "--trt-max-shapes", "x:[32768,1]", "w:[1,32768]"});
  if (on_stand_in()) {
    environment_["ASSAY_FAKE_CUDA"] = "no_memory";
  } else {
    words.insert(words.end(), {"--input-shapes", "x:[32768,1]", "w:[1,32768]"});
  }
  EXPECT_THAT(fails(words), HasSubstr("the engine ran out of memory"));
  EXPECT_TRUE(no_process_left());
  environment_.erase("ASSAY_FAKE_CUDA");
  write_model("m.onnx", kSmall);
  passes({"run", "m.onnx", "--trt"});
}

TEST_F(GpuLimits, TwoWorkersShareADevice) {
  write_model("m.onnx", kSmall);
  EXPECT_THAT(passes({"run", "m.onnx", "--onnxrt", "--trt=first", "--trt=second", "--iterations", "5"}),
              AllOf(HasSubstr("first-runner-N1"), HasSubstr("second-runner-N2"), HasSubstr("5 of 5 iterations agree")));
  write_model("bad.onnx", kUnsupported);
  passes(reduction("bad.onnx", {"-o", "one.onnx", "--jobs", "1"}, {}));
  passes(reduction("bad.onnx", {"-o", "two.onnx", "--jobs", "2"}, {}));
  EXPECT_EQ(read("one.onnx"), read("two.onnx"));
  EXPECT_TRUE(no_process_left());
}

// With stand-ins only: each way in which a machine can lack a GPU is a reason to skip, and a broken TensorRT isn't.
class ReasonsToSkip : public Gpu {
 protected:
  void SetUp() override {
    if (!on_stand_in()) GTEST_SKIP() << "needs the stand-ins";
    Gpu::SetUp();
  }
  std::string reason_with(const std::string& variable, const std::string& value) {
    const Environment before = environment_;
    environment_[variable] = value;
    const Probe found = probe();
    environment_ = before;
    EXPECT_FALSE(found.passed);
    return found.missing;
  }
};

TEST_F(ReasonsToSkip, AreTheToolsOwn) {
  EXPECT_TRUE(probe().passed);
  EXPECT_THAT(reason_with("ASSAY_TENSORRT_LIB", "nowhere"), HasSubstr("there is no TensorRT at nowhere"));
  EXPECT_THAT(reason_with("LD_LIBRARY_PATH", ""), HasSubstr("NVIDIA's driver"));
  EXPECT_THAT(reason_with("ASSAY_FAKE_TENSORRT", "null_builder"), HasSubstr("install a newer driver"));
  for (const char* lack : {"none", "no_device", "stub"}) {
    EXPECT_THAT(reason_with("ASSAY_FAKE_CUDA", lack), HasSubstr("NVIDIA's driver")) << lack;
  }
  EXPECT_EQ(reason_with("ASSAY_FAKE_TENSORRT", "fail_build"), "");
}

}  // namespace
}  // namespace assay::e2e

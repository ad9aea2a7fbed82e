// `plugin autotune` with the stand-in for TensorRT, whose layers take as long as a test says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tests/e2e/layer_times.h"
#include "tests/e2e/tensorrt_workspace.h"
#include "tests/support/fetched.h"
#include "tests/support/paths.h"

namespace assay::e2e {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) { a = Exp(x) b = Tanh(a) c = Neg(b) d = Sigmoid(c) y = Tanh(d) })";

// Replaces each node of one operator by one of another.
constexpr auto kPattern = R"(
def get_matching_subgraphs(graph):
    return [{"inputs": [node.inputs[0].name], "outputs": [node.outputs[0].name], "attributes": {}}
            for node in graph.nodes if node.op == "FROM"]


def get_plugin_metadata():
    return {"name": "NAME", "op": "TO"}
)";

class Autotune : public TensorRtWorkspace {
 protected:
  void SetUp() override {
    TensorRtWorkspace::SetUp();
    if (IsSkipped()) return;
    python_ = test::fetched_python();
    if (python_.empty()) GTEST_SKIP() << test::kNoPython;
    write_model("m.onnx", kModel);
    write_plugin("tanh", "Tanh", "FakePlugin");
    layers("Tanh=8,FakePlugin=1");
  }
  void write_plugin(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = kPattern;
    for (const auto& [word, value] : {std::pair{"FROM", from}, {"NAME", name}, {"TO", to}}) {
      text.replace(text.find(word), std::string(word).size(), value);
    }
    std::filesystem::create_directories(path("plugins/" + name));
    write("plugins/" + name + "/pattern.py", text);
  }
  // Says what layers do when an engine runs.
  void layers(const std::string& behaviour) { set_layer_times(behaviour, environment_); }
  [[nodiscard]] Words tune(const Words& more = {}) const {
    Words words = {"plugin",  "autotune",
                   "m.onnx",  "--plugin-dir",
                   "plugins", "--plugin-libraries",
                   library_,  "--python-interpreter",
                   python_,   "--warm-up",
                   "1",       "--runs",
                   "5",       "-o",
                   "out.onnx"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  [[nodiscard]] nlohmann::json json(const std::string& name) const { return nlohmann::json::parse(read(name)); }
  // Returns {"tanh_0, tanh_1": "timed", ...} of a report.
  [[nodiscard]] std::map<std::string, std::string> outcomes(const std::string& name) const {
    std::map<std::string, std::string> found;
    const auto report = json(name);
    for (const auto& trial : report["combinations"]) {
      std::string names;
      for (const auto& each : trial["replacements"]) names += (names.empty() ? "" : ", ") + each.get<std::string>();
      found[names] = trial["outcome"];
    }
    return found;
  }

  const std::string library_ = test::fake("tensorrt/plugins/libassay_fake_plugin.so");
  std::string python_;
};

const Words kOriginal = {"Exp", "Tanh", "Neg", "Sigmoid", "Tanh"};

TEST_F(Autotune, TakesTheReplacementsThatMakeTheEngineFaster) {
  write_plugin("slow", "Neg", "Erf");
  layers("Tanh=8,FakePlugin=1,Erf=8");
  for (const char* mode : {"greedy", "exhaustive"}) {
    EXPECT_THAT(passes(tune({"--autotune-mode", mode, "--report", "report.json"})),
                AllOf(HasSubstr("{'slow': 1, 'tanh': 2}"), HasSubstr("with 2 of 3 replacements: tanh_0, tanh_1."),
                      HasSubstr("Saved the model to out.onnx"), HasSubstr("Saved the report to report.json")));
    EXPECT_THAT(operators("out.onnx"), ElementsAre("Exp", "FakePlugin", "Neg", "Sigmoid", "FakePlugin"));
    const auto report = json("report.json");
    EXPECT_EQ(report["verdict"], "faster");
    EXPECT_THAT(report["used"], ElementsAre("tanh_0", "tanh_1"));
    EXPECT_GT(report["gain"], 0.5);
    EXPECT_TRUE(report["complete"]);
    EXPECT_EQ(report["combinations"][0]["runs"], 5);
    EXPECT_EQ(report["replacements"][1]["inputs"][0], "a");
    EXPECT_EQ(report["mode"], mode);
    EXPECT_EQ(outcomes("report.json").at("slow_0"), "timed");
    if (std::string_view(mode) == "exhaustive") {
      EXPECT_EQ(outcomes("report.json").size(), 8U);
    }
  }
}

TEST_F(Autotune, AReplacementThatIsNotFasterIsNotMade) {
  layers("Tanh=4,FakePlugin=12");
  EXPECT_THAT(passes(tune({"--report", "report.txt"})), HasSubstr("UNCHANGED: none of 2 combinations is faster"));
  EXPECT_EQ(operators("out.onnx"), kOriginal);
  EXPECT_THAT(read("report.txt"), AllOf(HasSubstr("UNCHANGED"), HasSubstr("tanh_1: FakePlugin from d to y")));
}

TEST_F(Autotune, AGainBelowTheThresholdIsNone) {
  EXPECT_THAT(passes(tune({"--threshold", "0.99"})), HasSubstr("which is less than --threshold 0.99"));
  EXPECT_EQ(operators("out.onnx"), kOriginal);
}

// A combination that fails is an outcome, and the search still finds one that works.
TEST_F(Autotune, CombinationsThatFailAreReported) {
  write_plugin("refused", "Neg", "Unheard");
  write_plugin("crashing", "Exp", "Erf");
  write_plugin("hanging", "Sigmoid", "Log");
  write_plugin("failing", "Sigmoid", "Sqrt");
  write_plugin("raising", "Neg", "FakePlugin");
  write("plugins/raising/pattern.py", read("plugins/raising/pattern.py") + R"(

def replace_with_plugin(graph, input_tensors, output_tensors, attrs, op):
    raise ValueError("odd")
)");
  layers("Tanh=8,FakePlugin=1,Erf=crash,Log=hang,Sqrt=fail");
  EXPECT_THAT(passes(tune({"--engine-timeout", "10", "--report", "report.json"})),
              AllOf(HasSubstr("crashing_0: the engine crashed with signal 11"), HasSubstr("hanging_0: "),
                    HasSubstr("no importer registered for op: Unheard"), HasSubstr("ValueError: odd"),
                    HasSubstr("with 2 of 7 replacements")));
  EXPECT_THAT(operators("out.onnx"), ElementsAre("Exp", "FakePlugin", "Neg", "Sigmoid", "FakePlugin"));
  const auto found = outcomes("report.json");
  for (const char* name : {"refused_0", "crashing_0", "hanging_0", "failing_0", "raising_0"}) {
    EXPECT_EQ(found.at(name), "fails") << name;
  }
  EXPECT_TRUE(no_process_left());
}

// One plug-in computes a part of what the other one computes.
TEST_F(Autotune, OverlappingSubgraphsArentReplacedTogether) {
  std::filesystem::create_directories(path("plugins/both"));
  write("plugins/both/pattern.py", R"(
def get_matching_subgraphs(graph):
    return [{"inputs": ["x"], "outputs": ["c"], "attributes": {}}]


def get_plugin_metadata():
    return {"name": "both", "op": "FakePlugin"}
)");
  layers("Exp=4,Tanh=8,FakePlugin=1");
  passes(tune({"--autotune-mode", "exhaustive", "--report", "report.json"}));
  const auto found = outcomes("report.json");
  EXPECT_EQ(found.at("both_0, tanh_0"), "overlaps");
  EXPECT_EQ(found.at("both_0, tanh_1"), "timed");
  EXPECT_THAT(operators("out.onnx"), ElementsAre("FakePlugin", "Sigmoid", "FakePlugin"));
}

TEST_F(Autotune, TheSubgraphsAreSavedAndLoaded) {
  const Words skip = {
      "plugin", "autotune",           "m.onnx",    "--plugin-dir",     "plugins", "--python-interpreter",
      python_,  "--save-config-yaml", "some.yaml", "--skip-autotuning"};
  environment_["ASSAY_FAKE_TENSORRT"] = "crash_builder";  // no engine is built
  EXPECT_THAT(passes(skip), AllOf(HasSubstr("{'tanh': 2}"), HasSubstr("so no model is saved")));
  environment_.erase("ASSAY_FAKE_TENSORRT");
  const std::string config = read("some.yaml");
  write("one.yaml", config.substr(0, config.rfind("- inputs")));
  EXPECT_THAT(passes(tune({"--load-config-yaml", "one.yaml"})), HasSubstr("with 1 of 1 replacement: tanh_0."));
  EXPECT_THAT(operators("out.onnx"), ElementsAre("Exp", "FakePlugin", "Neg", "Sigmoid", "Tanh"));
  write("bad.yaml", "name: \"tanh\"\nop: \"FakePlugin\"\ninstances:\n- inputs: [\"q\"]\n  outputs: [\"y\"]\n");
  EXPECT_THAT(fails(tune({"--load-config-yaml", "bad.yaml"})), HasSubstr("the model has no tensor q"));
  EXPECT_THAT(fails(tune({"--load-config-yaml", "nowhere.yaml"})),
              HasSubstr("cannot open: No such file or directory (in nowhere.yaml)"));
}

TEST_F(Autotune, TheTimingCacheIsKeptAndSharedOrNot) {
  passes(tune({"--timing-cache", "kernels.cache"}));
  const std::string cache = read("kernels.cache");
  EXPECT_THAT(cache, AllOf(HasSubstr("kACTIVATION"), HasSubstr("kPLUGIN_V3")));
  passes(tune({"--no-timing-cache"}));
  passes(tune({"--timing-cache", "kernels.cache"}));
  EXPECT_EQ(read("kernels.cache").size(), cache.size());
}

TEST_F(Autotune, InputsOfOpenSizesAndSettingsOfTheBuilderAreUsed) {
  write_model("m.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 2] x) => (float[N, 2] y) { a = Exp(x) y = Tanh(a) })");
  EXPECT_THAT(passes(tune({"--input-shapes", "x:[3,2]", "--tf32", "--seed", "2"})), HasSubstr("FASTER"));
  passes(tune({"--trt-min-shapes", "x:[4,2]", "--trt-opt-shapes", "x:[4,2]", "--trt-max-shapes", "x:[8,2]",
               "--input-shapes", "x:[4,2]"}));
  EXPECT_THAT(fails(tune({"--trt-min-shapes", "x:[4,2]", "--trt-opt-shapes", "x:[4,2]", "--trt-max-shapes", "x:[8,2]",
                          "--input-shapes", "x:[3,2]"})),
              HasSubstr("profile"));
}

TEST_F(Autotune, WithoutAMatchNoEngineIsBuilt) {
  environment_["ASSAY_FAKE_TENSORRT"] = "crash_builder";
  write_plugin("tanh", "Cosh", "FakePlugin");
  EXPECT_THAT(passes(tune()), HasSubstr("UNCHANGED: no plug-in can compute a part of the model"));
  EXPECT_EQ(operators("out.onnx"), kOriginal);
}

TEST_F(Autotune, AModelThatTensorRtRefusesIsAnError) {
  layers("Exp=fail");
  EXPECT_THAT(fails(tune({"--report", "report.txt"})), HasSubstr("the engine failed while running"));
  EXPECT_THAT(read("report.txt"), HasSubstr("NOT FINISHED"));
  EXPECT_FALSE(std::filesystem::exists(path("out.onnx")));
}

TEST_F(Autotune, WhatIsMissingIsSaid) {
  EXPECT_THAT(fails(tune({"--trt-lib", "nowhere"})), HasSubstr("there is no TensorRT at nowhere"));
  environment_["LD_LIBRARY_PATH"] = "";
  EXPECT_THAT(fails(tune()), HasSubstr("NVIDIA's driver"));
}

TEST_F(Autotune, CtrlCEndsItAndKeepsWhatWasMeasured) {
  layers("FakePlugin=hang");
  const auto running = start(tune({"--report", "report.json"}));
  ASSERT_TRUE(running->wait_for("the model as it is: "));
  running->send(SIGINT);
  const Finished finished = running->finish();
  EXPECT_EQ(finished.status, 130) << finished.output;
  EXPECT_EQ(json("report.json")["verdict"], "unfinished");
  EXPECT_EQ(json("report.json")["combinations"].size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(path("out.onnx")));
  EXPECT_TRUE(no_process_left());
}

TEST_F(Autotune, PlacesThatCantBeWrittenAreFoundBeforeTheWork) {
  std::filesystem::create_directory(path("folder"));
  for (const char* option : {"--report", "--timing-cache", "--save-config-yaml"}) {
    const std::string output = fails(tune({option, "folder"}));
    EXPECT_THAT(output,
                AllOf(HasSubstr("it is a folder (in folder)"),
                      HasSubstr(std::string("The option that names the file is ") + option), Not(HasSubstr("tanh"))));
  }
  EXPECT_THAT(fails(tune({"--report", "out.onnx"})), HasSubstr("would write to the same place"));
  EXPECT_THAT(fails(tune({"--report", "page.html"})), HasSubstr("this report is text or JSON, not HTML (in --report)"));
  // A full disk loses neither the report nor what was there before.
  Words full = tune({"--report", "report.txt"});
  *std::ranges::find(full, "out.onnx") = "/dev/full";
  EXPECT_THAT(fails(full), HasSubstr("No space left"));
  EXPECT_THAT(read("report.txt"), HasSubstr("FASTER"));
}

TEST_F(Autotune, TheNumberOfCombinationsIsLimited) {
  EXPECT_THAT(passes(tune({"--max-combinations", "1"})),
              AllOf(HasSubstr("The search ended after 1 combination"), HasSubstr("1 of 2 replacements: tanh_0.")));
}

TEST_F(Autotune, WhatCantWorkIsRefused) {
  EXPECT_THAT(fails(tune({"--python-plugins", "a.py"})),
              HasSubstr("Give compiled plug-ins, with --plugin-libraries (in --python-plugins)"));
  EXPECT_THAT(fails(tune({"--save-tactics", "t.json"})), HasSubstr("another network"));
  EXPECT_THAT(fails(tune({"--iterations", "3"})), HasSubstr("with one set of inputs (in --iterations)"));
  Words without = tune();
  without.resize(without.size() - 2);
  EXPECT_THAT(fails(without), HasSubstr("Add -o FILE"));
  Words missing = tune();
  *std::ranges::find(missing, library_) = "nowhere.so";
  EXPECT_THAT(fails(missing), AllOf(HasSubstr("cannot open the library of plug-ins "), HasSubstr("nowhere.so")));
  for (const Words& words :
       {Words{"--plugins", library_}, Words{"--threshold", "1"}, Words{"--max-combinations", "0"}, Words{"--runs", "0"},
        Words{"--timing-cache", "c", "--no-timing-cache"}, Words{"--timing-cache", "c", "--save-timing-cache", "d"},
        Words{"--load-config-yaml", "c", "--include", "tanh"}, Words{"--load-config-yaml", "c", "--skip-autotuning"}}) {
    EXPECT_EQ(assay(tune(words)).status, 2) << words.front();
  }
}

}  // namespace
}  // namespace assay::e2e

// Runs the scripts with a stand-in for TensorRT's Python module (testdata/tensorrt.py) that knows the names of its API.
#include "tensorrt/scripts/python_scripts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/strings.h"
#include "base/temp_dir.h"
#include "worker/process.h"

namespace assay::tensorrt {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

constexpr const char* kDriver = R"(
import runpy, sys
import tensorrt as trt
script = runpy.run_path(sys.argv[1])
if "load_network" in script:
    assert len(script["load_network"]()) == int(sys.argv[2])
else:
    assert isinstance(script["load_config"](trt.Builder(None), trt.INetworkDefinition()), trt.IBuilderConfig)
print("\n".join(trt.calls))
)";

class PythonScripts : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(base::write_file(path(name), text));
  }
  // Returns the calls of TensorRT that a script makes, or what Python prints if it fails.
  [[nodiscard]] std::vector<std::string> run(const std::string& script, const std::string& results = "3") const {
    EXPECT_TRUE(base::write_file(path("script.py"), script));
    EXPECT_TRUE(base::write_file(path("driver.py"), kDriver));
    const base::Stop stop;
    const auto outcome = worker::run({.argv = {"python3", path("driver.py"), path("script.py"), results},
                                      .environment = {{"PYTHONPATH", ASSAY_SOURCE_DIR "/src/tensorrt/scripts/testdata"},
                                                      {"PYTHONDONTWRITEBYTECODE", "1"}},
                                      .folder = folder_.path()},
                                     {}, stop);
    EXPECT_TRUE(outcome && *outcome);
    if (!outcome || !*outcome) return {};
    return base::split(base::trim((*outcome)->output), '\n');
  }
  [[nodiscard]] std::vector<std::string> run_config(const std::vector<std::pair<std::string, Words>>& options) const {
    GivenSettings given;
    for (const auto& [name, words] : options) given.add(name, words);
    return run(config_script(plan_config(given, {}).value()));
  }
  [[nodiscard]] std::vector<std::string> run_network(const std::vector<std::pair<std::string, Words>>& options,
                                                     const std::string& model = "model.onnx") const {
    GivenSettings given;
    for (const auto& [name, words] : options) given.add(name, words);
    return run(network_script(plan_network(given, model).value()), model.empty() ? "2" : "3");
  }

  base::TempDir folder_ = base::TempDir::create().value();
};

TEST_F(PythonScripts, MakeADefaultConfiguration) {
  EXPECT_THAT(run_config({}), ElementsAre("clear_flag \"TF32\"", "profiling_verbosity = \"DETAILED\""));
}

TEST_F(PythonScripts, MakeEverySettingOfAConfiguration) {
  write("timing.cache", "timings");
  write("calibration.cache", "");
  std::vector<std::pair<std::string, Words>> options;
  std::vector<std::string> wanted;
  for (const Setting& setting : config_settings()) {
    if (setting.form != Setting::Form::flag) continue;
    options.emplace_back(setting.name(), Words{});
    if (!setting.member.empty()) wanted.push_back("set_flag \"" + std::string(setting.member) + "\"");
  }
  for (const auto& [option, value] : {std::pair{"--precision-constraints", "prefer"},
                                      {"--tactic-sources", "edge_mask_convolutions"},
                                      {"--pool-limit", "workspace:1K"},
                                      {"--preview-features", "profile_sharing_0806"},
                                      {"--builder-optimization-level", "5"},
                                      {"--hardware-compatibility-level", "same_compute_capability"},
                                      {"--max-aux-streams", "3"},
                                      {"--quantization-flags", "calibrate_before_fusion"},
                                      {"--profiling-verbosity", "none"},
                                      {"--runtime-platform", "windows_amd64"},
                                      {"--tiling-optimization-level", "full"},
                                      {"--calib-base-cls", "IInt8LegacyCalibrator"},
                                      {"--quantile", "0.25"},
                                      {"--trt-min-shapes", "x:[1]"},
                                      {"--trt-opt-shapes", "x:[2]"},
                                      {"--trt-max-shapes", "x:[3]"}}) {
    options.emplace_back(option, Words{value});
  }
  options.emplace_back("--load-timing-cache", Words{path("timing.cache")});
  options.emplace_back("--calibration-cache", Words{path("calibration.cache")});
  const std::vector<std::string> calls = run_config(options);
  wanted.insert(
      wanted.end(),
      {"set_flag \"PREFER_PRECISION_CONSTRAINTS\"", "set_tactic_sources 8", "set_memory_pool_limit \"WORKSPACE\" 1024",
       "set_preview_feature \"PROFILE_SHARING_0806\" true", "set_preview_feature \"ALIASED_PLUGIN_IO_10_03\" false",
       "builder_optimization_level = 5", "hardware_compatibility_level = \"SAME_COMPUTE_CAPABILITY\"",
       "max_aux_streams = 3", "set_quantization_flag \"CALIBRATE_BEFORE_FUSION\"", "profiling_verbosity = \"NONE\"",
       "runtime_platform = \"WINDOWS_AMD64\"", "tiling_optimization_level = \"FULL\"", "default_device_type = \"DLA\"",
       "DLA_core = 0", "int8_calibrator = \"Calibrator\"", "set_timing_cache \"timings\"",
       "set_shape \"x\" [1] [2] [3]"});
  EXPECT_THAT(calls, IsSupersetOf(wanted));
}

TEST_F(PythonScripts, BeginAndEndWithFunctionsOfTheUser) {
  write("begin.py",
        "import tensorrt\ndef load_config(builder, network):\n"
        "    config = builder.create_builder_config()\n    config.max_aux_streams = 7\n    return config\n");
  write("change.py", "def change(builder, network, config):\n    config.DLA_core = 1\n");
  EXPECT_THAT(run_config({{"--trt-config-script", {path("begin.py")}},
                          {"--trt-config-postprocess-script", {path("change.py") + ":change"}}}),
              ElementsAre("max_aux_streams = 7", "DLA_core = 1"));
  EXPECT_THAT(run_config({{"--trt-config-script", {path("begin.py")}}, {"--fp16", {}}}),
              ElementsAre("max_aux_streams = 7", "set_flag \"FP16\""));
}

TEST_F(PythonScripts, RecordAndReplayTactics) {
  EXPECT_THAT(run_config({{"--save-tactics", {path("replay.json")}}}),
              Contains("algorithm_selector = \"TacticRecorder\""));
  write("replay.json", R"({"replay": {}, "polygraphy_class": "TacticReplayData"})");
  EXPECT_THAT(
      run_config({{"--load-tactics", {path("replay.json")}}}),
      AllOf(Contains("algorithm_selector = \"TacticReplayer\""), Contains("set_flag \"REJECT_EMPTY_ALGORITHMS\"")));
  write("other.json", "[]");
  EXPECT_THAT(run_config({{"--load-tactics", {path("other.json")}}}),
              Contains(AllOf(HasSubstr("ValueError"), HasSubstr("other.json isn't a tactic replay"))));
}

TEST_F(PythonScripts, NameAnUnknownEnumerator) {
  EXPECT_THAT(run_config({{"--tactic-sources", {"cuda"}}}),
              Contains(AllOf(HasSubstr("AttributeError"), HasSubstr("CUDA"))));
}

TEST_F(PythonScripts, MakeAnEmptyNetwork) {
  EXPECT_THAT(run_network({}, ""), ElementsAre("create_network 0"));
  EXPECT_THAT(run_network({{"--strongly-typed", {}}}, ""), ElementsAre("create_network 2"));
}

TEST_F(PythonScripts, ParseAModel) {
  EXPECT_THAT(run_network({{"--onnx-flags", {"adjust_for_dla"}}, {"--plugin-instancenorm", {}}}),
              ElementsAre("create_network 0", "set_flag \"ADJUST_FOR_DLA\"", "clear_flag \"NATIVE_INSTANCENORM\"",
                          HasSubstr("model.onnx")));
  EXPECT_THAT(run_network({}, "bad.onnx"), Contains(HasSubstr("the parser refuses the model: unsupported operator")));
}

TEST_F(PythonScripts, ChooseOutputs) {
  EXPECT_THAT(run_network({{"--trt-outputs", {"a", "[xb]"}}}),
              AllOf(Contains("unmark_output \"y\""), Contains("mark_output \"a\""), Contains("mark_output \"b\""),
                    Contains("mark_output \"x\""), Not(Contains("mark_output \"s\""))));
  // Not what layers in loops compute, nor shapes.
  EXPECT_THAT(run_network({{"--trt-outputs", {"mark", "all"}}, {"--trt-exclude-outputs", {"c"}}}),
              ElementsAre("create_network 0", HasSubstr("parse_from_file"), "unmark_output \"y\"", "mark_output \"a\"",
                          "mark_output \"c\"", "mark_output \"y\"", "unmark_output \"c\""));
  EXPECT_THAT(run_network({{"--trt-outputs-by-type", {"convolution"}}}),
              AllOf(Contains("mark_output \"a\""), Not(Contains("unmark_output \"y\""))));
  EXPECT_THAT(run_network({{"--trt-outputs", {"nothing*"}}}), Contains(HasSubstr("the network has no nothing*")));
}

TEST_F(PythonScripts, ChangeTypesAndFormats) {
  write("change.py", "def postprocess(*, network):\n    network.mark_unfused_tensors_as_debug_tensors()\n");
  EXPECT_THAT(run_network({{"--trt-network-postprocess-script", {path("change.py")}},
                           {"--layer-precisions", {"conv:float16"}},
                           {"--tensor-dtypes", {"x:bfloat16"}},
                           {"--all-tensor-dtypes", {"float16"}},
                           {"--tensor-formats", {"y:[linear, chw4]"}},
                           {"--mark-debug", {"a"}},
                           {"--mark-unfused-tensors-as-debug-tensors", {}},
                           {"--decomposable-attentions", {}}}),
              ElementsAre("create_network 0", HasSubstr("parse_from_file"), "mark_unfused_tensors_as_debug_tensors",
                          "mark_debug \"a\"", "precision = \"float16\"", "dtype = \"float16\"", "dtype = \"float16\"",
                          "dtype = \"bfloat16\"", "allowed_formats = 9", "decomposable = true",
                          "mark_unfused_tensors_as_debug_tensors"));
}

// The stand-in's layers are conv, shape, begin, end and attention.
TEST_F(PythonScripts, TheLastPatternThatMatchesWins) {
  const auto precisions = [&](const Words& words) {
    std::vector<std::string> calls = run_network({{"--layer-precisions", words}});
    std::erase_if(calls, [](const std::string& call) { return !call.starts_with("precision"); });
    return calls;
  };
  EXPECT_THAT(precisions({"c*:float16", "conv:float32"}),
              ElementsAre("precision = \"float16\"", "precision = \"float32\""));
  EXPECT_THAT(precisions({"conv:float32", "c*:float16"}),
              ElementsAre("precision = \"float32\"", "precision = \"float16\""));
  EXPECT_THAT(run_network({{"--layer-precisions", {"conv_*:float32"}}}),
              Contains(HasSubstr("the network has no conv_*")));
}

TEST_F(PythonScripts, KeepSomeOfTheOutputs) {
  GivenSettings given;
  given.add("--trt-outputs", {"a", "y"});
  given.add("--tensor-dtypes", {"y:float16", "a:bfloat16"});
  given.add("outputs", {"a"});
  EXPECT_THAT(run(network_script(plan_network(given, "model.onnx").value())),
              ElementsAre("create_network 0", HasSubstr("parse_from_file"), "unmark_output \"y\"", "mark_output \"a\"",
                          "mark_output \"y\"", "unmark_output \"y\"", "dtype = \"bfloat16\""));
}

TEST(NetworkPlan, HasPatternsInTheOrderGiven) {
  GivenSettings given;
  given.add("--layer-precisions", {"z*:float16", "a:float32"});
  given.add("--layer-precisions", {"*:int8"});
  const NetworkPlan plan = plan_network(given, "").value();
  EXPECT_THAT(plan.layer_precisions,
              ElementsAre(testing::Pair("z*", "float16"), testing::Pair("a", "float32"), testing::Pair("*", "int8")));
}

TEST(NetworkPlan, RefusesWrongValues) {
  const auto error_of = [](const char* option, const char* word) {
    GivenSettings given;
    given.add(option, {word});
    const auto plan = plan_network(given, "");
    return plan ? std::string() : plan.error().message();
  };
  EXPECT_THAT(error_of("--layer-precisions", "conv:float"), HasSubstr("TensorRT has no type 'float'"));
  EXPECT_THAT(error_of("--tensor-dtypes", "float16"), HasSubstr("lacks a name or a value"));
  EXPECT_THAT(error_of("--tensor-formats", "x:linear"), HasSubstr("isn't a list of formats"));
  EXPECT_THAT(error_of("--onnx-flags", "no such"), HasSubstr("can't be a name"));
}

}  // namespace
}  // namespace assay::tensorrt

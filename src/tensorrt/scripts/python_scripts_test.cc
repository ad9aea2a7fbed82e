// Runs the scripts with a stand-in for TensorRT's Python module (testdata/tensorrt.py) that knows the names of its API.
#include "tensorrt/scripts/python_scripts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "base/strings.h"
#include "base/temp_dir.h"
#include "tests/support/paths.h"
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
    network = trt.INetworkDefinition()
    network.inputs = [trt.ITensor(name) for name in sys.argv[3:] if name[0] != "="]
    outputs = [trt.ITensor(name[1:], True) for name in sys.argv[3:] if name[0] == "="]
    network.layers = [trt.ILayer(trt.LayerType.SHAPE, "shape", [], outputs)]
    assert isinstance(script["load_config"](trt.Builder(None), network), trt.IBuilderConfig)
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
    std::vector<std::string> argv = {"python3", path("driver.py"), path("script.py"), results};
    argv.insert(argv.end(), inputs_.begin(), inputs_.end());
    const auto outcome =
        worker::run({.argv = argv,
                     .environment = {{"PYTHONPATH", test::source_dir() / "src/tensorrt/scripts/testdata"},
                                     {"PYTHONDONTWRITEBYTECODE", "1"},
                                     {"ASSAY_FAKE_TENSORRT_PACKAGE", package_}},
                     .folder = folder_.path()},
                    {}, stop);
    EXPECT_TRUE(outcome && *outcome);
    if (!outcome || !*outcome) return {};
    return base::split(base::trim((*outcome)->output), '\n');
  }
  using Options = std::vector<std::pair<std::string, Words>>;
  // Returns all settings of a configuration that TensorRT 11 has, but for scripts, and adds the calls that they make.
  [[nodiscard]] Options options_for_11(std::vector<std::string>& calls) const {
    write("timing.cache", "timings");
    Options options;
    for (const Setting& setting : config_settings()) {
      if (setting.form != Setting::Form::flag || !setting.instead_in_11.empty()) continue;
      options.emplace_back(setting.name(), Words{});
      if (!setting.member.empty()) calls.push_back("set_flag \"" + std::string(setting.member) + "\"");
    }
    for (const auto& [option, value] : {std::pair{"--tactic-sources", "edge_mask_convolutions"},
                                        {"--pool-limit", "workspace:1K"},
                                        {"--preview-features", "runtime_activation_resize_10_10"},
                                        {"--builder-optimization-level", "5"},
                                        {"--hardware-compatibility-level", "same_compute_capability"},
                                        {"--engine-capability", "dla_standalone"},
                                        {"--max-aux-streams", "3"},
                                        {"--dla-core", "1"},
                                        {"--profiling-verbosity", "none"},
                                        {"--runtime-platform", "windows_amd64"},
                                        {"--tiling-optimization-level", "full"},
                                        {"--trt-min-shapes", "x:[1]"},
                                        {"--trt-opt-shapes", "x:[2]"},
                                        {"--trt-max-shapes", "x:[3]"}}) {
      options.emplace_back(option, Words{value});
    }
    options.emplace_back("--load-timing-cache", Words{path("timing.cache")});
    calls.insert(calls.end(),
                 {"set_memory_pool_limit \"WORKSPACE\" 1024", "engine_capability = \"DLA_STANDALONE\"",
                  "set_preview_feature \"RUNTIME_ACTIVATION_RESIZE_10_10\" true",
                  "set_preview_feature \"ALIASED_PLUGIN_IO_10_03\" false", "builder_optimization_level = 5",
                  "hardware_compatibility_level = \"SAME_COMPUTE_CAPABILITY\"", "max_aux_streams = 3",
                  "profiling_verbosity = \"NONE\"", "runtime_platform = \"WINDOWS_AMD64\"",
                  "tiling_optimization_level = \"FULL\"", "default_device_type = \"DLA\"", "DLA_core = 1",
                  "set_timing_cache \"timings\"", "set_shape \"x\" [1] [2] [3]"});
    return options;
  }
  [[nodiscard]] std::vector<std::string> run_config(const Options& options) const {
    GivenSettings given;
    for (const auto& [name, words] : options) given.add(name, words);
    return run(config_script(plan_config(given, {}).value()));
  }
  [[nodiscard]] std::vector<std::string> run_network(const Options& options,
                                                     const std::string& model = "model.onnx") const {
    GivenSettings given;
    for (const auto& [name, words] : options) given.add(name, words);
    return run(network_script(plan_network(given, model).value()), model.empty() ? "2" : "3");
  }

  base::TempDir folder_ = base::TempDir::create().value();
  std::string package_ = "10.15.1";  // the version of the stand-in
  // The inputs and, after "=", the outputs of the network for which a configuration is made; s is a shape tensor.
  std::vector<std::string> inputs_;
};

TEST_F(PythonScripts, MakeADefaultConfiguration) {
  EXPECT_THAT(run_config({}), ElementsAre("clear_flag \"TF32\"", "profiling_verbosity = \"DETAILED\""));
}

TEST_F(PythonScripts, GiveANetworkWithDynamicSizesAProfile) {
  inputs_ = {"x", "y"};
  EXPECT_THAT(run_config({}), IsSupersetOf({"set_shape \"x\" [1] [1] [1]", "set_shape \"y\" [1] [1] [1]",
                                            "add_optimization_profile \"IOptimizationProfile\""}));
  EXPECT_THAT(run_config({{"--trt-min-shapes", {"x:[3]"}}}),
              IsSupersetOf({"set_shape \"x\" [3] [3] [3]", "set_shape \"y\" [1] [1] [1]"}));
  EXPECT_THAT(run_config({{"--trt-min-shapes", {"[xz]:[3]", "[xy]:[2]"}}}),
              IsSupersetOf({"set_shape \"x\" [2] [2] [2]", "set_shape \"y\" [2] [2] [2]"}));
  EXPECT_THAT(run_config({{"--trt-min-shapes", {"z*:[3]"}}}),
              Contains(HasSubstr("a profile is for the input 'z*', which the network doesn't have")));
}

TEST_F(PythonScripts, MakeEverySettingOfAConfiguration) {
  inputs_ = {"x"};
  write("calibration.cache", "");
  std::vector<std::string> wanted;
  Options options = options_for_11(wanted);
  for (const char* flag : {"FP16", "BF16", "FP8", "INT8"}) {
    options.emplace_back("--" + base::to_lower(flag), Words{});
    wanted.push_back("set_flag \"" + std::string(flag) + "\"");
  }
  for (const auto& [option, value] : {std::pair{"--precision-constraints", "prefer"},
                                      {"--preview-features", "profile_sharing_0806"},
                                      {"--quantization-flags", "calibrate_before_fusion"},
                                      {"--calib-base-cls", "IInt8LegacyCalibrator"},
                                      {"--quantile", "0.25"}}) {
    options.emplace_back(option, Words{value});
  }
  options.emplace_back("--calibration-cache", Words{path("calibration.cache")});
  wanted.insert(wanted.end(),
                {"set_flag \"PREFER_PRECISION_CONSTRAINTS\"", "set_preview_feature \"PROFILE_SHARING_0806\" true",
                 "set_tactic_sources 8", "set_quantization_flag \"CALIBRATE_BEFORE_FUSION\"",
                 "int8_calibrator = \"Calibrator\""});
  EXPECT_THAT(run_config(options), IsSupersetOf(wanted));
}

TEST_F(PythonScripts, GiveShapeTensorsNegativeValues) {
  inputs_ = {"x", "s"};
  EXPECT_THAT(run_config({{"--trt-min-shapes", {"s:[-1,4]", "x:[2]"}},
                          {"--trt-opt-shapes", {"s:[2,4]"}},
                          {"--trt-max-shapes", {"s:[3,8]"}}}),
              IsSupersetOf({"set_shape \"x\" [2] [2] [2]", "set_shape_input \"s\" [-1, 4] [2, 4] [3, 8]"}));
  EXPECT_THAT(run_config({}), IsSupersetOf({"shapes depend on the input 's', so the engine is built for its value (1,)",
                                            "set_shape_input \"s\" [1] [1] [1]", "set_shape \"x\" [1] [1] [1]"}));
}

TEST_F(PythonScripts, GiveANetworkWhoseOutputsContainShapesAProfile) {
  const std::string profile = "add_optimization_profile \"IOptimizationProfile\"";
  inputs_ = {"=s"};
  EXPECT_THAT(run_config({}), Contains(profile));
  inputs_ = {"=y"};  // has dynamic dimensions
  EXPECT_THAT(run_config({}), Contains(profile));
}

TEST_F(PythonScripts, GiveShapeTensorsTheValuesOfThePlan) {
  inputs_ = {"x", "s"};
  ConfigPlan plan;
  plan.shape_values = {{"s", {2, 3}}, {"x", {7}}};
  EXPECT_THAT(run(config_script(plan)),
              IsSupersetOf({"set_shape \"x\" [1] [1] [1]", "set_shape_input \"s\" [2, 3] [2, 3] [2, 3]"}));
}

TEST_F(PythonScripts, PutPluginsIntoAnEngineWithItsRuntime) {
  EXPECT_THAT(run_config({{"--version-compatible", {}}, {"--serialize-plugins", {"/a.so", "/b.so"}}}),
              Contains("plugins_to_serialize = [\"/a.so\", \"/b.so\"]"));
}

TEST_F(PythonScripts, ChooseTheFirstCoreOfTheDla) {
  EXPECT_THAT(run_config({{"--use-dla", {}}}),
              IsSupersetOf({"set_flag \"PREFER_PRECISION_CONSTRAINTS\"", "set_flag \"DIRECT_IO\"",
                            "default_device_type = \"DLA\"", "DLA_core = 0"}));
  package_ = "11.1.0";
  EXPECT_THAT(run_config({{"--use-dla", {}}}), AllOf(Contains("DLA_core = 0"), Not(Contains(HasSubstr("DIRECT_IO")))));
}

TEST_F(PythonScripts, AllowAllPrecisionsWithBest) {
  EXPECT_THAT(run_config({{"--best", {}}}),
              IsSupersetOf({"set_flag \"FP16\"", "set_flag \"BF16\"", "set_flag \"INT8\""}));
  GivenSettings given;
  given.add("--best", {});
  EXPECT_THAT(config_script(plan_config(given, {}).value()), HasSubstr("BF16)  # remove this line for GPUs"));
}

TEST_F(PythonScripts, MakeEverySettingThatTensorRt11Has) {
  inputs_ = {"x"};
  package_ = "11.1.0";
  std::vector<std::string> wanted;
  const Options options = options_for_11(wanted);
  for (const Setting& setting : config_settings()) {
    const bool is_given = std::ranges::any_of(options, [&](const auto& each) { return each.first == setting.name(); });
    const bool excludes_others = setting.name() == "--serialize-plugins";  // has a test of its own
    EXPECT_TRUE(is_given || excludes_others || !setting.instead_in_11.empty() ||
                setting.name().starts_with("--trt-config-"))
        << setting.name();
  }
  wanted.emplace_back("set_tactic_sources 1");
  EXPECT_THAT(run_config(options), IsSupersetOf(wanted));
  EXPECT_THAT(run_network({{"--strongly-typed", {}},
                           {"--trt-outputs", {"a"}},
                           {"--tensor-formats", {"x:[linear]"}},
                           {"--mark-debug", {"a"}},
                           {"--decomposable-attentions", {}}}),
              IsSupersetOf({"mark_output \"a\"", "allowed_formats = 1", "mark_debug \"a\"", "decomposable = true"}));
}

// The names that the stand-in lacks in this version are those that NVIDIA's bindings lack.
TEST_F(PythonScripts, SayWhatToDoInsteadOfWhatTensorRt11Removed) {
  const auto refuses = [](const std::string& option) {
    return Contains(AllOf(HasSubstr("RuntimeError: TensorRT 11 no longer has " + option + ". "),
                          HasSubstr(", or use TensorRT 10")));
  };
  package_ = "11.1.0";
  write("replay.json", R"({"replay": {}, "polygraphy_class": "TacticReplayData"})");
  for (const auto& [option, words] : Options{{"--fp16", {}},
                                             {"--bf16", {}},
                                             {"--fp8", {}},
                                             {"--int8", {}},
                                             {"--precision-constraints", {"obey"}},
                                             {"--calibration-cache", {"cache"}},
                                             {"--quantization-flags", {}},
                                             {"--save-tactics", {path("saved.json")}},
                                             {"--load-tactics", {path("replay.json")}}}) {
    EXPECT_THAT(run_config({{option, words}}), refuses(option));
  }
  for (const auto& [option, words] : Options{{"--layer-precisions", {"conv:float32"}},
                                             {"--tensor-dtypes", {"x:float16"}},
                                             {"--all-tensor-dtypes", {"float16"}}}) {
    EXPECT_THAT(run_network({{option, words}}), refuses(option));
  }
  for (const auto& [option, word] :
       {std::pair{"--tactic-sources", "cudnn"}, {"--preview-features", "profile_sharing_0806"}}) {
    EXPECT_THAT(run_config({{option, {word}}}),
                Contains(AllOf(HasSubstr("RuntimeError: TensorRT 11 has removed '"), HasSubstr(option))));
  }
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

TEST_F(PythonScripts, BeginWithAnEmptyTimingCacheIfTheFileIsMissing) {
  EXPECT_THAT(run_config({{"--load-timing-cache", {path("none.cache")}}}), Contains("set_timing_cache \"\""));
}

TEST_F(PythonScripts, RecordAndReplayTactics) {
  EXPECT_THAT(
      run_config({{"--save-tactics", {path("replay.json")}}}),
      AllOf(Contains("algorithm_selector = \"TacticRecorder\""), Contains("set_flag \"DISABLE_TIMING_CACHE\"")));
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

TEST_F(PythonScripts, GiveTheParserAConfigurationForQuestionsAboutTheDla) {
  EXPECT_THAT(run_network({{"--onnx-flags", {"report_capability_dla"}}}),
              ElementsAre("create_network 0", "set_flag \"REPORT_CAPABILITY_DLA\"", "default_device_type = \"DLA\"",
                          "DLA_core = 0", "set_flag \"FP16\"", "set_builder_config \"IBuilderConfig\"",
                          HasSubstr("parse_from_file")));
}

TEST_F(PythonScripts, ChooseOutputs) {
  const auto outputs = [this](const Options& options) {
    std::vector<std::string> calls = run_network(options);
    if (calls.size() > 2) calls.erase(calls.begin(), calls.begin() + 2);  // which parse the model
    return calls;
  };
  // Patterns skip what is inside loops and conditionals, b to e and g, and constants.
  EXPECT_THAT(outputs({{"--trt-outputs", {"a", "[sbegk]"}}}),
              ElementsAre("unmark_output \"y\"", "mark_output \"a\"", "mark_output \"s\""));
  EXPECT_THAT(outputs({{"--trt-outputs", {"mark", "all"}}, {"--trt-exclude-outputs", {"f"}}}),
              ElementsAre("mark_output \"a\"", "mark_output \"s\"", "mark_output \"f\"", "unmark_output \"f\""));
  EXPECT_THAT(outputs({{"--trt-outputs-by-type", {"convolution", "unary"}}}),
              ElementsAre("unmark_output \"y\"", "mark_output \"a\""));
  // A constant has to be named.
  EXPECT_THAT(outputs({{"--trt-outputs", {"k"}}}), ElementsAre("unmark_output \"y\"", "mark_output \"k\""));
  EXPECT_THAT(outputs({{"--trt-outputs-by-type", {"constant"}}, {"--trt-exclude-outputs", {"k"}}}),
              ElementsAre("unmark_output \"y\"", "mark_output \"k\"", "unmark_output \"k\""));
  // They also skip h, a boolean on which shapes depend.
  EXPECT_THAT(outputs({{"--trt-outputs", {"h", "y"}}}), ElementsAre("mark_output \"h\""));
  EXPECT_THAT(outputs({{"--trt-outputs-by-type", {"cast"}}}), ElementsAre("unmark_output \"y\""));
  EXPECT_THAT(outputs({{"--trt-outputs-by-type", {"softmax"}}}),
              Contains(HasSubstr("the network has no layer of the type SOFTMAX")));
  for (const char* inside : {"b", "d", "e", "g"}) {
    EXPECT_THAT(outputs({{"--trt-outputs", {inside}}}),
                Contains(HasSubstr("as an output: it is inside a loop or a conditional. Name another one")));
  }
  for (const char* missing : {"nothing*", "x", "[k]"}) {
    EXPECT_THAT(outputs({{"--trt-outputs", {missing}}}),
                Contains(HasSubstr("the network has no " + std::string(missing))));
  }
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

TEST_F(PythonScripts, TheUsualFormatIsntForShapeTensors) {
  const std::vector<std::string> calls =
      run_network({{"--trt-outputs", {"y", "s"}}, {"--all-tensor-formats", {"chw4"}}});
  EXPECT_EQ(std::ranges::count(calls, "allowed_formats = 8"), 2) << "of x and y";
}

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
  EXPECT_EQ(precisions({"*:float16"}).size(), 9) << "patterns skip shape and truth, which compute no floats";
  EXPECT_EQ(precisions({"truth:float16"}).size(), 1);
  EXPECT_THAT(run_network({{"--layer-precisions", {"conv_*:float32"}}}),
              Contains(HasSubstr("the network has no conv_*")));
}

TEST_F(PythonScripts, KeepSomeOfTheOutputs) {
  GivenSettings given;
  given.add("--trt-outputs", {"a", "y"});
  given.add("--tensor-dtypes", {"y:float16", "a:bfloat16"});
  given.add("outputs", {"a"});
  EXPECT_THAT(run(network_script(plan_network(given, "model.onnx").value())),
              ElementsAre("create_network 0", HasSubstr("parse_from_file"), "mark_output \"a\"", "unmark_output \"y\"",
                          "dtype = \"bfloat16\""));
}

TEST(NetworkPlan, HasPatternsInTheOrderGiven) {
  GivenSettings given;
  given.add("--layer-precisions", {"z*:float16", "a:float32"});
  given.add("--layer-precisions", {"*:int8"});
  const NetworkPlan plan = plan_network(given, "").value();
  EXPECT_THAT(plan.layer_precisions,
              ElementsAre(testing::Pair("z*", "float16"), testing::Pair("a", "float32"), testing::Pair("*", "int8")));
}

TEST(NetworkPlan, APluginForInstanceNormalizationRunsNowhereElse) {
  const auto error_with = [](const char* option, const Words& words) {
    GivenSettings given;
    given.add("--plugin-instancenorm", {});
    given.add(option, words);
    const auto plan = plan_network(given, "");
    return plan ? std::string() : plan.error().message();
  };
  EXPECT_THAT(error_with("--version-compatible", {}),
              HasSubstr("Leave out --plugin-instancenorm or --version-compatible"));
  EXPECT_THAT(error_with("--hardware-compatibility-level", {"ampere_plus"}),
              HasSubstr("or --hardware-compatibility-level"));
  EXPECT_EQ(error_with("--hardware-compatibility-level", {"same_compute_capability"}), "");
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

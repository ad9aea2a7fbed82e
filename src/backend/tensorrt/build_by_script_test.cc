// Builds engines with the user's functions in Python. A module stands in for the package `tensorrt`
// (tests/fakes/tensorrt/python); what it builds is read as the JSON that it is.
#include "backend/tensorrt/build_by_script.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "backend/engine_test_support.h"
#include "base/files.h"
#include "base/temp_dir.h"
#include "tensorrt/encode_settings.h"
#include "tests/support/paths.h"

namespace assay::backend {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using worker::Phase;

constexpr auto kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[N, 2] x) => (float[N, 2] y) { s = Add(x, x) y = Relu(s) })";

class BuildByScript : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("PYTHONPATH", (test::source_dir() / "tests/fakes/tensorrt/python").c_str(), 1);
    ::setenv("PYTHONDONTWRITEBYTECODE", "1", 1);
    ::setenv("ASSAY_FAKE_NVINFER", test::fake("tensorrt/fake_nvinfer/libnvinfer.so.10").c_str(), 1);
  }
  void TearDown() override {
    for (const char* name : {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "ASSAY_FAKE_NVINFER", "ASSAY_FAKE_TENSORRT",
                             "ASSAY_FAKE_TENSORRT_VERSION"})
      ::unsetenv(name);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(base::write_file(path(name), text));
    return path(name);
  }
  void give(const std::string& setting, const tensorrt::Words& words = {}) { given_.add(setting, words); }
  Answer<ScriptedEngine> build(const worker::ModelSource& model) {
    auto options = tensorrt::encode_settings(given_);
    options.insert(options_.begin(), options_.end());
    options.emplace("python", "python3");
    const auto parsed = parse_tensorrt_options(options, 10);
    EXPECT_TRUE(parsed) << parsed.error().failed.message;
    EXPECT_TRUE(parsed->has_scripts);
    return build_by_script(model, *parsed);
  }
  // Returns the plan that was built.
  nlohmann::json plan(const worker::ModelSource& model) {
    const auto built = build(model);
    EXPECT_TRUE(built) << built.error().failed.message;
    if (!built) return {};
    EXPECT_EQ(built->version, "10.15.1");
    const auto bytes = built->bytes->bytes();
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return nlohmann::json::parse(text.substr(text.find('\n') + 1));
  }
  std::string error(const worker::ModelSource& model, Phase phase) {
    const auto built = build(model);
    EXPECT_FALSE(built);
    if (built) return {};
    EXPECT_EQ(built.error().failed.phase, phase) << built.error().failed.message;
    return built.error().failed.message;
  }

  base::TempDir folder_ = base::TempDir::create().value();
  tensorrt::GivenSettings given_;
  std::map<std::string, std::string> options_;
};

nlohmann::json names_of(const nlohmann::json& plan, const char* what) {
  nlohmann::json names;
  for (const auto& index : plan["graph"][what]) names.push_back(plan["graph"]["tensors"][index.get<int>()]["name"]);
  return names;
}

TEST_F(BuildByScript, FunctionsChangeTheNetworkAndTheConfiguration) {
  write("names.py", "OUTPUT = 's'\n");
  const std::string network = write("network.py",
                                    "from names import OUTPUT\n\ndef change(*, network):\n    network.mark_output("
                                    "network[0].get_output(0))\n    assert network[0].get_output(0).name == OUTPUT\n");
  const std::string config = write("config.py",
                                   "import tensorrt as trt\n\ndef postprocess_config(builder, network, config):\n"
                                   "    config.set_flag(trt.BuilderFlag.BF16)\n");
  give("--trt-network-postprocess-script", {network + ":change"});
  give("--trt-config-postprocess-script", {config});
  give("--fp16");
  const nlohmann::json built = plan(test::from_text(kModel));
  EXPECT_EQ(names_of(built, "outputs"), (nlohmann::json{"s", "y"}));
  EXPECT_EQ(built["settings"]["flags"], (nlohmann::json{"kBF16", "kFP16"})) << "TF32 is off, as without scripts";
  EXPECT_EQ(built["profiles"][0]["shapes"]["x"], nlohmann::json::parse("[[1, 2], [1, 2], [1, 2]]"));
}

TEST_F(BuildByScript, AnEngineWithItsRuntimeContainsThePluginsOfTheParser) {
  const auto plugins = [&](const std::vector<const char*>& settings, const std::string& statement) {
    given_ = {};
    for (const char* setting : settings) give(setting);
    give("--trt-config-postprocess-script",
         {write("config.py", "def postprocess_config(builder, network, config):\n    " + statement + "\n")});
    return plan(test::from_text(kModel))["settings"]["plugins"];
  };
  const nlohmann::json both = {"libfake_vc_plugin.so", "libfake_other_plugin.so"};
  EXPECT_EQ(plugins({"--version-compatible"}, "pass"), both);
  EXPECT_EQ(plugins({"--version-compatible"}, "config.plugins_to_serialize = ['mine.so', 'libfake_vc_plugin.so']"),
            (nlohmann::json{"mine.so", "libfake_vc_plugin.so", "libfake_other_plugin.so"}))
      << "each library once";
  EXPECT_EQ(plugins({"--version-compatible", "--exclude-lean-runtime"}, "pass"), nlohmann::json::array());
  EXPECT_EQ(plugins({}, "pass"), nlohmann::json::array());
  ::setenv("ASSAY_FAKE_TENSORRT", "fail_plugins", 1);
  EXPECT_EQ(plugins({"--version-compatible"}, "pass"), nlohmann::json::array());
}

TEST_F(BuildByScript, SettingsThatTensorRtIgnoresAreWarnings) {
  constexpr auto kIgnored = "IBuilderConfig::setBuilderOptimizationLevel: Error Code 3: API Usage Error (level 9)";
  give("--trt-config-postprocess-script",
       {write("config.py",
              "def postprocess_config(builder, network, config):\n"
              "    error = '[11/23/2026-10:00:00] [TRT] [E] '\n"
              "    print(error + 'ITensor::isShapeTensor: Error Code 4: Internal Error (incomplete)')\n"
              "    print(error + '" +
                  std::string(kIgnored) + "')\n")});
  const auto built = build(test::from_text(kModel));
  ASSERT_TRUE(built) << built.error().failed.message;
  EXPECT_THAT(built->warnings, testing::ElementsAre(kIgnored)) << "the other error means nothing";
}

TEST_F(BuildByScript, ATimingCacheThatAnotherBuildHasWrittenIsKept) {
  give("--trt-config-postprocess-script", {write("config.py",
                                                 "def postprocess_config(builder, network, config):\n"
                                                 "    build = builder.build_serialized_network\n"
                                                 "    def build_late(*arguments):\n"
                                                 "        with open('" +
                                                     path("cache") +
                                                     "', 'w') as file:\n"
                                                     "            file.write('damaged')\n"
                                                     "        return build(*arguments)\n"
                                                     "    builder.build_serialized_network = build_late\n")});
  give("--save-timing-cache", {path("cache")});
  const auto built = build(test::from_text(kModel));
  ASSERT_TRUE(built) << built.error().failed.message;
  EXPECT_THAT(built->warnings, testing::ElementsAre(HasSubstr("another program has written this file")));
  EXPECT_EQ(base::read_file(path("cache")).value(), "damaged");
}

// Adds tensors of types that the module's plans don't have.
TEST_F(BuildByScript, TensorsHaveTheTypesThatOnnxNames) {
  write("net.py", R"(
import tensorrt as trt

def load_network():
    builder = trt.Builder(None)
    network = builder.create_network()
    x = network.add_input("x", trt.float32, (2,))
    for name in ["fp8", "int4", "fp4", "e8m0", "int64"]:
        layer = network.add("Identity", name, [x], "to_" + name)
        layer.get_output(0).__dict__["dtype"] = getattr(trt, name)
    network.mark_output(x)
    return builder, network
)");
  const auto parsed = parse_tensorrt_options({{"model_type", "script"}, {"python", "python3"}}, 10);
  const auto network = describe_by_script(worker::ModelFile{path("net.py")}, *parsed);
  ASSERT_TRUE(network) << network.error().failed.message;
  std::vector<std::string> types;
  for (const auto& layer : network->layers) types.push_back(layer.outputs.at(0).type);
  EXPECT_THAT(types, testing::ElementsAre("float8_e4m3fn", "int4", "float4_e2m1fn", "float8_e8m0fnu", "int64"));
}

// Adds an attention, whose layers the module's networks don't have by themselves.
TEST_F(BuildByScript, AttributesOfAttentionsAreShown) {
  write("net.py", R"(
import tensorrt as trt

def load_network():
    builder = trt.Builder(None)
    network = builder.create_network()
    x = network.add_input("x", trt.float32, (2,))
    network.layers.append(trt.ILayer("Identity", "attention", [x], trt.ITensor("y", (2,))))
    network.layers[0].__dict__["type"] = trt.LayerType.ATTENTION_INPUT
    network.mark_output(network.layers[0].get_output(0))
    return builder, network
)");
  const auto attributes = [this](const char* version) {
    ::setenv("ASSAY_FAKE_TENSORRT_VERSION", version, 1);
    const auto parsed = parse_tensorrt_options({{"model_type", "script"}, {"python", "python3"}}, 10);
    const auto network = describe_by_script(worker::ModelFile{path("net.py")}, *parsed);
    EXPECT_TRUE(network) << network.error().failed.message;
    std::string text;
    for (const auto& [name, value] : network->layers.at(0).attributes) text += name + "=" + value + " ";
    return text;
  };
  const std::string before_11 = R"(attention="fake attention" norm_op="SOFTMAX" causal=true decomposable=false )";
  EXPECT_EQ(attributes("101501"), before_11);
  EXPECT_EQ(attributes("110100"), before_11 + R"(causal_kind="LOWER_RIGHT" query_form="PACKED_NHD" )" +
                                      R"(key_value_form="PADDED_BHND" query_lengths="lengths" )");
}

TEST_F(BuildByScript, SomeOfTheOutputsAreKept) {
  give("--trt-config-postprocess-script",
       {write("config.py", "def postprocess_config(builder, network, config):\n    pass\n")});
  give("--trt-outputs", {"*"});
  give("outputs", {"s"});
  give("input_shapes", {"x:[3,2]", "other:[1]"});
  const nlohmann::json built = plan(test::from_text(kModel));
  EXPECT_EQ(names_of(built, "outputs"), nlohmann::json{"s"});
  EXPECT_EQ(built["profiles"][0]["shapes"].size(), 1) << "the model has no other input";
}

TEST_F(BuildByScript, AConfigurationOfAScriptKeepsWhatItHas) {
  const std::string config =
      write("config.py",
            "import tensorrt as trt\n\ndef load_config(builder, network):\n"
            "    config = builder.create_builder_config()\n    profile = builder.create_optimization_profile()\n"
            "    profile.set_shape('x', (1, 2), (5, 2), (9, 2))\n    config.add_optimization_profile(profile)\n"
            "    return config\n");
  give("--trt-config-script", {config});
  give("input_shapes", {"x:[7,2]"});
  const nlohmann::json built = plan(test::from_text(kModel));
  EXPECT_EQ(built["settings"]["flags"], nlohmann::json{"kTF32"});
  EXPECT_EQ(built["profiles"].size(), 1);
  EXPECT_EQ(built["profiles"][0]["shapes"]["x"], nlohmann::json::parse("[[1, 2], [5, 2], [9, 2]]"));
}

constexpr auto kNetwork = R"(import tensorrt as trt

def make():
    builder = trt.Builder(trt.Logger(trt.Logger.WARNING))
    network = builder.create_network()
    x = network.add_input("x", trt.float32, (-1, 3))
    y = network.add_activation(x, trt.ActivationType.RELU).get_output(0)
    network.mark_output(y)
    return builder, network
)";

TEST_F(BuildByScript, AScriptMakesTheNetwork) {
  options_ = {{"model_type", "script"}, {"function", "make"}};
  give("input_shapes", {"x:[4,3]"});
  give("--trt-outputs", {"tensor*"});
  const nlohmann::json built = plan(worker::ModelFile{write("network.py", kNetwork)});
  EXPECT_EQ(names_of(built, "inputs"), nlohmann::json{"x"});
  EXPECT_EQ(built["profiles"][0]["shapes"]["x"], nlohmann::json::parse("[[4, 3], [4, 3], [4, 3]]"));
  EXPECT_EQ(built["graph"]["layers"][0]["type"], "kACTIVATION");
}

TEST_F(BuildByScript, AModelIsParsedInMemoryAndInAFile) {
  give("--trt-network-postprocess-script", {write("nothing.py", "def postprocess(network): pass\n")});
  const auto bytes = test::from_text(kModel, path("weights"));
  EXPECT_EQ(names_of(plan(bytes), "outputs"), nlohmann::json{"y"});
  write("m.onnx", std::string(std::get<worker::ModelBytes>(bytes).bytes.view()));
  EXPECT_EQ(names_of(plan(worker::ModelFile{path("m.onnx")}), "outputs"), nlohmann::json{"y"});
}

TEST_F(BuildByScript, TimingCachesAreSavedAndExtended) {
  give("--trt-network-postprocess-script", {write("nothing.py", "def postprocess(network): pass\n")});
  give("--save-timing-cache", {path("timings")});
  plan(test::from_text(kModel));
  EXPECT_EQ(base::read_file(path("timings")), "timed\n");
  plan(test::from_text(kModel));
  EXPECT_EQ(base::read_file(path("timings")), "timed\ntimed\n");
  give("--load-timing-cache", {write("loaded", "loaded\n")});
  plan(test::from_text(kModel));
  EXPECT_EQ(base::read_file(path("timings")), "loaded\ntimed\ntimed\ntimed\n");
  write("timings", "damaged");
  EXPECT_THAT(error(test::from_text(kModel), Phase::build), HasSubstr("can't use the timing cache " + path("timings")));
}

TEST_F(BuildByScript, ATimingCacheKeepsWhatAnotherBuildHasSavedMeanwhile) {
  give("--trt-config-postprocess-script", {write("config.py", R"py(
import tensorrt as trt

build = trt.Builder.build_serialized_network


def build_slowly(*arguments):
    with open(")py" + path("timings") + R"py(", "w") as file:
        file.write("other\n")
    return build(*arguments)


def postprocess_config(builder, network, config):
    trt.Builder.build_serialized_network = build_slowly
)py")});
  give("--save-timing-cache", {path("timings")});
  plan(test::from_text(kModel));
  EXPECT_EQ(base::read_file(path("timings")), "other\ntimed\n");
}

// The interpreter may have another version of the package than the library.
TEST_F(BuildByScript, WhatThePackageLacksIsRefusedBeforeTheBuild) {
  ::setenv("ASSAY_FAKE_TENSORRT_VERSION", "110100", 1);
  give("--trt-network-postprocess-script", {write("nothing.py", "def postprocess(network): pass\n")});
  give("--int8");
  give("--calibration-cache", {write("cache", "")});
  EXPECT_THAT(error(test::from_text(kModel), Phase::start), StartsWith("TensorRT 11 no longer has --int8. Quantize"));
}

TEST_F(BuildByScript, WhatAFunctionRaisesIsToldWithItsPlace) {
  const std::string script = write("bad.py", "def postprocess(network):\n    raise KeyError('no layer')\n");
  give("--trt-network-postprocess-script", {script});
  EXPECT_EQ(error(test::from_text(kModel), Phase::load), "the script failed: KeyError: 'no layer'\n    " + script +
                                                             ":2, in postprocess: raise KeyError('no layer')");
  write("bad.py", "import sys\n\ndef postprocess(network):\n    sys.exit(3)\n");
  EXPECT_THAT(error(test::from_text(kModel), Phase::load), StartsWith("the script failed: it called sys.exit(3)\n"));
  write("bad.py", "import os\n\ndef postprocess(network):\n    os._exit(0)\n");
  EXPECT_THAT(error(test::from_text(kModel), Phase::build), HasSubstr("exited with status 0 before the engine"));
  write("bad.py", "def other(network):\n    pass\n");
  EXPECT_EQ(error(test::from_text(kModel), Phase::load), script + " has no function postprocess()");
  write("bad.py", "def postprocess(network:\n");
  EXPECT_THAT(error(test::from_text(kModel), Phase::load), AllOf(HasSubstr("SyntaxError"), HasSubstr("bad.py")));
  write("bad.py", "def postprocess(network):\n    raise MemoryError\n");
  EXPECT_TRUE(build(test::from_text(kModel)).error().out_of_memory);
}

TEST_F(BuildByScript, WrongResultsOfFunctionsAreErrors) {
  const std::string script = write("config.py", "def load_config(builder, network): pass\n");
  give("--trt-config-script", {script});
  EXPECT_EQ(error(test::from_text(kModel), Phase::build),
            "load_config() of " + script + " must return the configuration");
  options_ = {{"model_type", "script"}};
  given_ = {};
  const std::string network = write("network.py", "def load_network(): return 11\n");
  EXPECT_THAT(error(worker::ModelFile{network}, Phase::load),
              StartsWith("load_network() of " + network + " must return the builder, the network"));
}

TEST_F(BuildByScript, TensorRtsOwnErrorsArrive) {
  give("--trt-network-postprocess-script", {write("nothing.py", "def postprocess(network): pass\n")});
  EXPECT_THAT(error(test::from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = Sigmoid(x) })"),
                    Phase::load),
              HasSubstr("the parser refuses the model: no importer for Sigmoid (node 0)"));
  give("--trt-min-shapes", {"z:[1,2]"});
  give("--trt-opt-shapes", {"z:[1,2]"});
  give("--trt-max-shapes", {"z:[1,2]"});
  EXPECT_EQ(error(test::from_text(kModel), Phase::build),
            "a profile is for the input 'z', which the network doesn't have");
  given_ = {};
  give("--trt-network-postprocess-script", {path("nothing.py")});
  ::setenv("ASSAY_FAKE_TENSORRT", "fail_python", 1);
  EXPECT_EQ(error(test::from_text(kModel), Phase::build),
            "TensorRT built no engine; Error Code 4: Internal Error (the network has no outputs)");
}

TEST_F(BuildByScript, NegativeSizesAreOnlyForShapeTensors) {
  give("--trt-network-postprocess-script", {write("nothing.py", "def postprocess(network): pass\n")});
  give("--trt-min-shapes", {"x:[-1,2]"});
  give("--trt-opt-shapes", {"x:[1,2]"});
  give("--trt-max-shapes", {"x:[2,2]"});
  EXPECT_EQ(error(test::from_text(kModel), Phase::build),
            "a profile has a negative size, and the input 'x' isn't a shape tensor");
}

// The stand-in for the library has the function that registers NVIDIA's plug-ins, and counts the calls.
TEST_F(BuildByScript, ABuildOfNvidiasPluginsIsRegistered) {
  const std::string library = test::fake("tensorrt/fake_nvinfer/libnvinfer.so.10");
  give("--plugins", {library});
  give("--trt-network-postprocess-script",
       {write("check.py", "import ctypes\n\ndef postprocess(network):\n    assert ctypes.CDLL('" + library +
                              "').countRegistrations() == 1\n")});
  const auto built = build(test::from_text(kModel));
  EXPECT_TRUE(built) << built.error().failed.message;
}

TEST_F(BuildByScript, TheEngineIsBuiltOnTheGpuThatTheUserChooses) {
  give("--trt-network-postprocess-script",
       {write("gpu.py",
              "import os\n\ndef postprocess(network):\n    raise ValueError(f\"sees "
              "{os.environ.get('CUDA_VISIBLE_DEVICES')}\")\n")});
  ::unsetenv("CUDA_VISIBLE_DEVICES");
  EXPECT_THAT(error(test::from_text(kModel), Phase::load), HasSubstr("sees None"));
  options_["device"] = "1";
  EXPECT_THAT(error(test::from_text(kModel), Phase::load), HasSubstr("sees 1"));
  ::setenv("CUDA_VISIBLE_DEVICES", "3,GPU-2f,0", 1);
  EXPECT_THAT(error(test::from_text(kModel), Phase::load), HasSubstr("sees GPU-2f"));
  ::unsetenv("CUDA_VISIBLE_DEVICES");
}

TEST_F(BuildByScript, APackageOrAnInterpreterThatIsMissingIsNamed) {
  give("--trt-network-postprocess-script", {write("nothing.py", "def postprocess(network): pass\n")});
  ::unsetenv("PYTHONPATH");
  EXPECT_THAT(error(test::from_text(kModel), Phase::start),
              AllOf(HasSubstr("can't import the package tensorrt"), HasSubstr("pip install tensorrt"),
                    HasSubstr("--python-interpreter")));
  options_["python"] = "/no/such/python";
  EXPECT_THAT(error(test::from_text(kModel), Phase::start), HasSubstr("/no/such/python"));
}

TEST_F(BuildByScript, Int8IsCalibratedFromACacheOnly) {
  give("--trt-network-postprocess-script", {write("nothing.py", "def postprocess(network): pass\n")});
  give("--int8");
  give("--calibration-cache", {path("cache")});
  options_["calibration_data"] = path("data");
  EXPECT_THAT(error(test::from_text(kModel), Phase::build), HasSubstr("calibrated from a cache only"));
  write("cache", "cache");
  plan(test::from_text(kModel));
}

TEST_F(BuildByScript, ACrashOfTheInterpreterIsACrash) {
  give("--trt-network-postprocess-script", {write("nothing.py", "def postprocess(network): pass\n")});
  ::setenv("ASSAY_FAKE_TENSORRT", "crash_python", 1);
  EXPECT_EXIT((void)build(test::from_text(kModel)), testing::KilledBySignal(SIGSEGV), "Segmentation fault");
}

}  // namespace
}  // namespace assay::backend

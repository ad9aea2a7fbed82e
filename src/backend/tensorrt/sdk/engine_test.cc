// Builds, saves and opens engines, and how each step fails. run_engine_test.cc has the rules of a run.
#include "backend/tensorrt/sdk/engine.h"

#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "backend/tensorrt/sdk/headers.h"
#include "backend/tensorrt/sdk/worker_test_support.h"
#include "base/files.h"
#include "tensor/npz.h"
#include "tensorrt/capability.h"
#include "tensorrt/engine_info.h"
#include "tensorrt/network_info.h"
#include "tests/support/paths.h"

namespace assay::backend {
namespace {

using tensor::ElementType;
using tensor::Tensor;
using test::floats;
using test::from_text;
using test::message;
using test::named;
using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using worker::Phase;

TEST_F(TensorRt, BuildsAndRunsAModel) {
  with("--trt-min-shapes", {"x:[1,2]"}).with("--trt-opt-shapes", {"x:[2,2]"}).with("--trt-max-shapes", {"x:[4,2]"});
  auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_THAT((*session)->info().engine_version, StartsWith(std::to_string(NV_TENSORRT_MAJOR) + "."));
  ASSERT_EQ((*session)->info().inputs.size(), 1);
  EXPECT_EQ((*session)->info().inputs[0].name, "x");
  EXPECT_EQ((*session)->info().inputs[0].type, ElementType::float32);
  EXPECT_EQ((*session)->info().inputs[0].shape, (tensor::Shape{-1, 2}));
  for (const int rows : {1, 3, 4, 2}) {  // buffers grow, and are used again
    std::vector<float> fed(static_cast<std::size_t>(rows) * 2, -1);
    fed.back() = 3;
    const auto result = (*session)->infer(named("x", floats({rows, 2}, fed)), {}, {});
    ASSERT_TRUE(result) << worker::describe(result.error());
    const Tensor& y = *result->outputs.find("y");
    EXPECT_EQ(y.shape(), (tensor::Shape{rows, 2}));
    std::vector<float> expected(static_cast<std::size_t>(rows) * 2, 0);
    expected.back() = 6;
    EXPECT_EQ(values(y), expected);
  }
  const auto outside = (*session)->infer(named("x", floats({5, 2}, std::vector<float>(10))), {}, {});
  ASSERT_FALSE(outside);
  EXPECT_THAT(message(outside.error(), Phase::run), HasSubstr("x"));
  EXPECT_TRUE((*session)->infer(named("x", floats({1, 2}, {1, 2})), {}, {})) << "the worker is healthy";
}

// The largest engines are as large as their models.
TEST_F(TensorRt, TheSerializedEngineIsFreedBeforeTheEngineIsPreparedToRun) {
  const auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_THAT(texts((*session)->info().messages, base::Level::verbose),
              Contains(HasSubstr("creates a context, next to 0 blobs")));
}

TEST_F(TensorRt, WithoutProfilesOpenSizesAreOne) {
  EXPECT_TRUE(run(from_text(kModel), named("x", floats({1, 2}, {1, 2}))));
  EXPECT_NE(run_error(floats({2, 2}, {1, 2, 3, 4}), Phase::run), "no error");
  with("input_shapes", {"x:[2,2]", "other:[3]"});  // a part of the model needn't have all inputs
  EXPECT_TRUE(run(from_text(kModel), named("x", floats({2, 2}, {1, 2, 3, 4}))));
}

TEST_F(TensorRt, ARunUsesTheFirstProfileThatTakesItsInputs) {
  for (const char* shapes : {"x:[1,2]", "x:[8,2]"}) {
    with("--trt-min-shapes", {shapes}).with("--trt-opt-shapes", {shapes}).with("--trt-max-shapes", {shapes});
  }
  EXPECT_TRUE(run(from_text(kModel), named("x", floats({1, 2}, {1, 2}))));
  EXPECT_TRUE(run(from_text(kModel), named("x", floats({8, 2}, std::vector<float>(16)))));
  EXPECT_THAT(run_error(floats({4, 2}, std::vector<float>(8)), Phase::run),
              AllOf(HasSubstr("none of the engine's 2 profiles"),
                    HasSubstr("profile 0 x [1,2] to [1,2]; profile 1 x [8,2] to [8,2]")));
  with("--optimization-profile", {"1"});
  EXPECT_TRUE(run(from_text(kModel), named("x", floats({8, 2}, std::vector<float>(16)))));
  EXPECT_NE(run_error(floats({1, 2}, {1, 2}), Phase::run), "no error");
  with("--optimization-profile", {"2"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::load), HasSubstr("there is no profile 2; the engine has 2"));
}

TEST_F(TensorRt, AProfileMayNameInputsByAWildcard) {
  with("--trt-min-shapes", {"[xz]:[2,2]"});
  EXPECT_TRUE(run(from_text(kModel), named("x", floats({2, 2}, {1, 2, 3, 4}))));
  given_ = {};
  with("--trt-min-shapes", {"z*:[2,2]"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("the input 'z*', which the model doesn't have"));
}

TEST_F(TensorRt, ProfilesThatDontFitAreErrors) {
  with("--trt-max-shapes", {"z:[1,2]"}).with("--trt-min-shapes", {"z:[1,2]"}).with("--trt-opt-shapes", {"z:[1,2]"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("the input 'z', which the model doesn't have"));
}

TEST_F(TensorRt, ProfilesOfTheWholeModelFitItsParts) {
  with("--trt-min-shapes", {"x:[1,2]", "z:[1,2]"}).with("--trt-optional-profiles");
  EXPECT_TRUE(load(from_text(kModel)));
}

TEST_F(TensorRt, SettingsReachTheBuilder) {
  with("--refittable").with("--builder-optimization-level", {"2"}).with("--pool-limit", {"workspace:16M"});
  with("--tactic-sources", {"jit_convolutions"})
      .with("--max-aux-streams", {"3"})
      .with("--hardware-compatibility-level", {"ampere_plus"});
  with_option("save_built", path("x.plan"));
  ASSERT_TRUE(load(from_text(kModel)));
  const nlohmann::json settings = nlohmann::json::parse(plan("x.plan")).at("settings");
  EXPECT_EQ(settings.at("flags"), nlohmann::json{"kREFIT"}) << "TensorRT sets TF32, and Polygraphy's default is off";
  EXPECT_EQ(settings.at("optimization_level"), 2);
  EXPECT_EQ(settings.at("max_aux_streams"), 3);
  EXPECT_THAT(settings.at("memory_pools").dump(), HasSubstr("16777216"));
  EXPECT_EQ(settings.at("tactic_sources"), nlohmann::json{"kJIT_CONVOLUTIONS"});
}

TEST_F(TensorRt, PrecisionsReachTheBuilder) {
  ASSAY_NEEDS_TENSORRT_10();
  with("--fp16").with("--tactic-sources", {"cublas"});
  with("--layer-precisions", {"*:float32"}).with("--precision-constraints", {"obey"});
  with_option("save_built", path("x.plan"));
  ASSERT_TRUE(load(from_text(kModel)));
  const nlohmann::json settings = nlohmann::json::parse(plan("x.plan")).at("settings");
  EXPECT_THAT(settings.at("flags").get<std::vector<std::string>>(), Contains("kFP16"));
  EXPECT_THAT(settings.at("tactic_sources").dump(), HasSubstr("kCUBLAS\""));
  const nlohmann::json layers = nlohmann::json::parse(plan("x.plan")).at("graph").at("layers");
  ASSERT_EQ(layers.size(), 2);
  for (const auto& layer : layers) EXPECT_EQ(layer.at("precision"), "kFLOAT") << layer;
}

TEST_F(TensorRt, OutputsAndTypesAreChosen) {
  with("--trt-outputs", {"*"}).with("--trt-exclude-outputs", {"y"});
  if (ASSAY_TENSORRT_UNTIL_10) with("--tensor-dtypes", {"x:float16"});
  const auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  ASSERT_EQ((*session)->info().outputs.size(), 1);
  EXPECT_EQ((*session)->info().outputs[0].name, "s");
  const auto type = ASSAY_TENSORRT_UNTIL_10 ? ElementType::float16 : ElementType::float32;
  EXPECT_EQ((*session)->info().inputs[0].type, type);
}

// The types of outputs that aren't kept are accepted, since they are the same for all windows of a run.
TEST_F(TensorRt, SomeOfTheOutputsAreKept) {
  with("--trt-outputs", {"*"}).with("--tensor-formats", {"s:[linear]", "y:[linear]"}).with("outputs", {"s"});
  if (ASSAY_TENSORRT_UNTIL_10) with("--tensor-dtypes", {"s:float16", "y:float16"});
  auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  ASSERT_EQ((*session)->info().outputs.size(), 1);
  EXPECT_EQ((*session)->info().outputs[0].name, "s");
  const auto type = ASSAY_TENSORRT_UNTIL_10 ? ElementType::float16 : ElementType::float32;
  EXPECT_EQ((*session)->info().outputs[0].type, type);
}

TEST_F(TensorRt, TheLastPatternThatMatchesWins) {
  ASSAY_NEEDS_TENSORRT_10();
  for (const auto& [words, expected] : {std::pair{tensorrt::Words{"node*:float16", "*s:float32"}, "kFLOAT kHALF "},
                                        std::pair{tensorrt::Words{"*s:float32", "node*:float16"}, "kHALF kHALF "}}) {
    given_ = {};
    with("--fp16").with("--layer-precisions", words).with("--precision-constraints", {"obey"});
    with_option("save_built", path("x.plan"));
    ASSERT_TRUE(load(from_text(kModel)));
    std::string found;
    const nlohmann::json layers = nlohmann::json::parse(plan("x.plan")).at("graph").at("layers");
    for (const auto& layer : layers) {
      found += layer.at("precision").get<std::string>() + " ";
    }
    EXPECT_EQ(found, expected);
  }
}

TEST_F(TensorRt, PatternsForPrecisionsSkipLayersThatComputeNoFloats) {
  ASSAY_NEEDS_TENSORRT_10();
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 3] x, int64[2] i) => (float[3, 2] y, int64[2] j)
    { to = Constant<value = int64[2] {3, 2}>() y = Reshape(x, to) two = Constant<value = int64[2] {2, 2}>()
      j = Mul(i, two) })");
  with("--fp16").with("--precision-constraints", {"obey"}).with("--layer-precisions", {"*:float16"});
  with_option("save_built", path("x.plan"));
  const auto session = load(model);
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_THAT(texts((*session)->info().messages, base::Level::verbose),
              Contains(AllOf(HasSubstr("patterns skip layers that compute integers, booleans or shapes"),
                             HasSubstr("node_of_j"))));
  std::map<std::string, bool> has_precision;
  const nlohmann::json layers = nlohmann::json::parse(plan("x.plan")).at("graph").at("layers");
  for (const auto& layer : layers) has_precision[layer.at("name")] = !layer.at("precision").is_null();
  EXPECT_TRUE(has_precision.at("node_of_y"));
  EXPECT_FALSE(has_precision.at("node_of_j"));
  with("--layer-precisions", {"node_of_j:float16"});
  EXPECT_THAT(load_error(model, Phase::build), HasSubstr("node_of_j")) << "a name is meant as it is";
}

TEST_F(TensorRt, NamesThatTheNetworkLacksAreErrors) {
  std::map<std::string, std::string> words = {{"--trt-outputs", "q*"}, {"--tensor-formats", "q:[linear]"}};
  if (ASSAY_TENSORRT_UNTIL_10) words["--layer-precisions"] = words["--tensor-dtypes"] = "q:float32";
  for (const auto& [setting, word] : words) {
    given_ = {};
    with(setting, {word});
    EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("TensorRT's network has no")) << setting;
  }
  given_ = {};
  with("--pool-limit", {"worksace:1G"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("Did you mean WORKSPACE?"));
}

TEST_F(TensorRt, ASavedEngineRunsAndTellsItsLayers) {
  with_option("save_built", path("x.plan"));
  ASSERT_TRUE(load(from_text(kModel)));
  options_ = {{"model_type", "engine"}};
  const auto result = run(worker::ModelFile{path("x.plan")}, named("x", floats({1, 2}, {-1, 2})));
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_THAT(values(*result->outputs.find("y")), ElementsAre(0, 4));
  with_option("save_layers", path("layers.json"));
  ASSERT_TRUE(load(worker::ModelFile{path("x.plan")}));
  const auto info = tensorrt::load_engine_info(path("layers.json"));
  ASSERT_TRUE(info) << info.error().message();
  EXPECT_EQ(info->profiles.at(0).layers.size(), 2);
  ASSERT_TRUE(base::write_file(path("cut.plan"), "not an engine"));
  EXPECT_NE(load_error(worker::ModelFile{path("cut.plan")}, Phase::load), "no error");
  EXPECT_THAT(load_error(worker::ModelFile{path("missing.plan")}, Phase::load), HasSubstr("missing.plan"));
}

TEST_F(TensorRt, AnEngineOfUltralyticsRuns) {
  with_option("save_built", path("x.plan"));
  ASSERT_TRUE(load(from_text(kModel)));
  const std::string engine = base::read_file(path("x.plan")).value();
  const std::string json = R"({"task": "detect", "names": {"0": "person"}})";
  const std::string length = {static_cast<char>(json.size()), 0, 0, 0};
  ASSERT_TRUE(base::write_file(path("yolo.engine"), length + json + engine));
  options_ = {{"model_type", "engine"}};
  const auto result = run(worker::ModelFile{path("yolo.engine")}, named("x", floats({1, 2}, {-1, 2})));
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_THAT(values(*result->outputs.find("y")), ElementsAre(0, 4));
  ASSERT_TRUE(base::write_file(path("cut.engine"), length + json));
  EXPECT_NE(load_error(worker::ModelFile{path("cut.engine")}, Phase::load), "no error");
}

// The stand-in's inspector, like TensorRT's, tells formats only for a context whose inputs have shapes.
TEST_F(TensorRt, LayersWithDynamicSizesHaveFormats) {
  with("--trt-min-shapes", {"x:[1,2]"}).with("--trt-opt-shapes", {"x:[2,2]"}).with("--trt-max-shapes", {"x:[4,2]"});
  with_option("save_layers", path("layers.json"));
  const auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  const auto info = tensorrt::load_engine_info(path("layers.json"));
  ASSERT_TRUE(info) << info.error().message();
  for (const tensorrt::EngineLayer& layer : info->profiles.at(0).layers) {
    EXPECT_EQ(layer.outputs.at(0).type, "float32") << layer.name;
    EXPECT_EQ(layer.outputs.at(0).shape, (tensor::Shape{-1, 2})) << layer.name;
  }
  const auto range = info->profiles.at(0).bindings.at(0).range;
  ASSERT_TRUE(range);
  EXPECT_EQ(range->min, (tensor::Shape{1, 2}));
  EXPECT_EQ(range->opt, (tensor::Shape{2, 2}));
  EXPECT_EQ(range->max, (tensor::Shape{4, 2}));
  std::vector<std::string> facts;
  for (const tensorrt::EngineAttribute& attribute : info->attributes) facts.push_back(attribute.name);
  EXPECT_THAT(facts, Contains("Refittable"));
}

TEST_F(TensorRt, FusedLayersWithDynamicSizesHaveFormats) {
  misbehave("raw_metadata");
  with_option("save_layers", path("layers.json"));
  const auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 2] x) => (float[N, 2] y) { a = Add(x, x) y = Add(a, x) })"));
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_THAT(base::read_file(path("layers.json")).value(), HasSubstr("\\u001e")) << "isn't the raw answer";
  const auto info = tensorrt::load_engine_info(path("layers.json"));
  ASSERT_TRUE(info) << info.error().message();
  const tensorrt::EngineLayer& layer = info->profiles.at(0).layers.at(0);
  EXPECT_EQ(layer.onnx_nodes.size(), 2);
  EXPECT_EQ(layer.outputs.at(0).type, "float32");
  EXPECT_EQ(layer.outputs.at(0).shape, (tensor::Shape{-1, 2}));
}

TEST_F(TensorRt, LayersThatDependOnAShapeTensorHaveFormats) {
  with("--trt-min-shapes", {"s:[1,2]"}).with("--trt-opt-shapes", {"s:[2,3]"}).with("--trt-max-shapes", {"s:[3,6]"});
  with_option("save_layers", path("layers.json"));
  const auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[6] x, int64[2] s) => (float[A, B] y) { y = Reshape(x, s) })"));
  ASSERT_TRUE(session) << worker::describe(session.error());
  const auto info = tensorrt::load_engine_info(path("layers.json"));
  ASSERT_TRUE(info) << info.error().message();
  EXPECT_EQ(info->profiles.at(0).bindings.at(1).range->opt, (tensor::Shape{2, 3})) << "the values of s";
  const tensorrt::EngineTensor& y = info->profiles.at(0).layers.back().outputs.at(0);
  EXPECT_EQ(y.type, "float32");
  EXPECT_EQ(y.shape, (tensor::Shape{-1, -1}));
}

constexpr auto kWeightsModel = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { c = Constant<value = float[2] {10, 20}>() s = Add(x, w) y = Add(s, c) })";

void write(const worker::ModelSource& model, const std::string& file) {
  ASSERT_TRUE(base::write_file(file, std::get<worker::ModelBytes>(model).bytes.view()));
}

std::vector<float> sums(const worker::Outcome<worker::InferResult>& result) {
  return result ? values(*result->outputs.find("y")) : std::vector<float>{};
}

TEST_F(TensorRt, AnEngineWithoutWeightsGetsThoseOfItsModel) {
  const auto x = named("x", floats({2}, {100, 200}));
  with("--strip-plan").with_option("save_built", path("x.plan"));
  EXPECT_THAT(sums(run(from_text(kWeightsModel), x)), ElementsAre(111, 222));
  EXPECT_THAT(plan("x.plan"), HasSubstr(R"("stripped_weights":16)"));

  write(from_text(kWeightsModel), path("w.onnx"));
  given_ = {};
  options_ = {{"model_type", "engine"}};
  with("--refit-from-onnx", {path("w.onnx")});
  const auto refitted = run(worker::ModelFile{path("x.plan")}, x);
  ASSERT_TRUE(refitted) << worker::describe(refitted.error());
  EXPECT_THAT(sums(refitted), ElementsAre(111, 222));

  misbehave("fail_refit");
  pool_.emplace(worker::Pool::Options{.worker_dir = test::workers_dir()}, stop_);
  EXPECT_THAT(load_error(worker::ModelFile{path("x.plan")}, Phase::load), HasSubstr("weights are missing"));
}

TEST_F(TensorRt, AnEngineWithoutWeightsDoesntRun) {
  if (!ASSAY_TENSORRT_SINCE_10(14)) GTEST_SKIP() << "before 10.14, TensorRT doesn't tell which engines lack weights";
  misbehave("no_context_if_stripped");
  with("--strip-plan").with_option("save_built", path("x.plan"));
  ASSERT_TRUE(load(from_text(kWeightsModel)));
  given_ = {};
  options_ = {{"model_type", "engine"}};
  EXPECT_THAT(load_error(worker::ModelFile{path("x.plan")}, Phase::load),
              AllOf(HasSubstr("built without its weights"), HasSubstr("16 bytes"), HasSubstr("--refit-from-onnx")));
  with_option("save_layers", path("layers.json"));
  EXPECT_TRUE(load(worker::ModelFile{path("x.plan")})) << "its layers can be shown";
}

TEST_F(TensorRt, WeightsOfAnotherModelReplaceThoseOfAnEngine) {
  const auto x = named("x", floats({2}, {100, 200}));
  with("--refittable").with_option("save_built", path("x.plan"));
  EXPECT_THAT(sums(run(from_text(kWeightsModel), x)), ElementsAre(111, 222));
  std::string tuned = kWeightsModel;
  tuned.replace(tuned.find("{1, 2}"), 6, "{3, 4}");
  write(from_text(tuned), path("tuned.onnx"));
  given_ = {};
  options_ = {{"model_type", "engine"}};
  with("--refit-from-onnx", {path("tuned.onnx")});
  EXPECT_THAT(sums(run(worker::ModelFile{path("x.plan")}, x)), ElementsAre(113, 224));
}

// The stand-in's refitter, which knows the classes of its own library, ends the process if the engine is of another
// one.
TEST_F(TensorRt, AnEngineOfALeanRuntimeIsRefittedByIt) {
  with("--version-compatible")
      .with("--exclude-lean-runtime")
      .with("--refittable")
      .with_option("save_built", path("x.plan"));
  ASSERT_TRUE(load(from_text(kWeightsModel)));
  std::filesystem::copy_file(library(), path("lean.so"));
  std::string tuned = kWeightsModel;
  tuned.replace(tuned.find("{1, 2}"), 6, "{3, 4}");
  write(from_text(tuned), path("tuned.onnx"));
  given_ = {};
  options_ = {{"model_type", "engine"}};
  with("--load-runtime", {path("lean.so")}).with("--refit-from-onnx", {path("tuned.onnx")});
  const auto result = run(worker::ModelFile{path("x.plan")}, named("x", floats({2}, {100, 200})));
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_THAT(sums(result), ElementsAre(113, 224));
}

TEST_F(TensorRt, ModelsWhoseWeightsDontFitAreErrors) {
  const auto engine_of = [&](const char* setting) {
    given_ = {};
    options_ = {};
    with(setting).with_option("save_built", path("x.plan"));
    ASSERT_TRUE(load(from_text(kWeightsModel)));
  };
  const auto refit_error = [&](const std::string& model) {
    given_ = {};
    options_ = {{"model_type", "engine"}};
    with("--refit-from-onnx", {path(model)});
    return load_error(worker::ModelFile{path("x.plan")}, Phase::load);
  };
  engine_of("--strip-plan");
  write(from_text(kModel), path("other.onnx"));
  EXPECT_THAT(refit_error("other.onnx"),
              AllOf(HasSubstr("the model lacks weights of the engine"), HasSubstr("w"), HasSubstr("from which")));
  misbehave("unnamed_weights");
  SetUp();  // a new pool, whose workers see the variable
  EXPECT_THAT(refit_error("other.onnx"), HasSubstr("weights of the engine: weights without a name"));
  misbehave("");
  SetUp();
  std::string longer = kWeightsModel;
  longer.replace(longer.find("float[2] w = {1, 2}"), 19, "float[3] w = {1, 2, 3}");
  write(from_text(longer), path("longer.onnx"));
  EXPECT_THAT(refit_error("longer.onnx"), HasSubstr("failed to refit the weights w"));
  EXPECT_THAT(refit_error("missing.onnx"), HasSubstr("missing.onnx"));
  engine_of("--sparse-weights");
  write(from_text(kWeightsModel), path("w.onnx"));
  EXPECT_THAT(refit_error("w.onnx"), HasSubstr("built without --refittable and --strip-plan"));
}

TEST_F(TensorRt, TellsWhatANetworkConsistsOf) {
  with("--trt-outputs", {"s"}).with_option("save_network", path("network.json"));
  with_option("save_weights", path("weights"));
  const auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N, 2] x) => (int64[2, K] y) <float[2] c = {1, 2}> { [sum] s = Add(x, c) [find] y = NonZero(s) })"));
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_THAT((*session)->info().outputs, testing::IsEmpty()) << "no engine is built";
  const auto network = tensorrt::parse_network(base::read_file(path("network.json")).value());
  ASSERT_TRUE(network) << network.error().message();
  ASSERT_EQ(network->layers.size(), 2) << "the constant is left out";
  const tensorrt::NetworkLayer& sum = network->layers[0];
  EXPECT_EQ(sum.name, "sum");
  EXPECT_THAT(sum.inputs, ElementsAre("x", "c"));
  EXPECT_EQ(sum.outputs[0].name, "s");
  EXPECT_EQ(sum.outputs[0].type, "float32");
  EXPECT_THAT(sum.outputs[0].shape, ElementsAre(-1, 2));
  EXPECT_TRUE(sum.outputs[0].is_output);
  EXPECT_FALSE(network->layers[1].outputs[0].is_output);
  EXPECT_EQ(network->layers[1].outputs[0].type, "int64");
  EXPECT_TRUE(tensorrt::has_precision(sum));
  EXPECT_FALSE(tensorrt::has_precision(network->layers[1]));
  EXPECT_EQ(network->name, "g");
  EXPECT_EQ(network->strongly_typed, NV_TENSORRT_MAJOR >= 11);
  ASSERT_EQ(network->inputs.size(), 1);
  EXPECT_EQ(network->inputs[0].name, "x");
  EXPECT_EQ(sum.kind, "ELEMENTWISE");
  ASSERT_FALSE(sum.attributes.empty());
  EXPECT_EQ(sum.attributes[0].name, "op");
  EXPECT_EQ(sum.attributes[0].value, "\"SUM\"");
  EXPECT_EQ(sum.attributes.back().name, "metadata");
  EXPECT_THAT(sum.attributes.back().value, HasSubstr("sum"));
  ASSERT_EQ(network->constants.size(), 1);
  EXPECT_EQ(network->constants[0].kind, "CONSTANT");
  EXPECT_EQ(network->constants[0].weights.at(0).name, "weights");
  EXPECT_THAT(network->constants[0].weights.at(0).shape, ElementsAre(2));
  ASSERT_EQ(network->outputs.size(), 1);
  EXPECT_EQ(network->outputs[0].name, "s");
  const std::string weights = base::read_file(path("weights")).value();
  ASSERT_EQ(weights.size(), 2 * sizeof(float));
  float second = 0;
  std::memcpy(&second, weights.data() + sizeof(float), sizeof second);
  EXPECT_EQ(second, 2);
}

TEST_F(TensorRt, AttributesAreThoseOfTheKindOfTheLayer) {
  with_option("save_network", path("network.json"));
  ASSERT_TRUE(load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 1, 4, 4] x) => (float[1, 1, 4, 4] z) <float[1, 1, 1, 1] w = {2}> {
      y = Conv(x, w) r = Relu(y) t = Transpose(r) z = Softmax(t) })")));
  const auto network = tensorrt::parse_network(base::read_file(path("network.json")).value()).value();
  std::map<std::string, std::vector<std::string>> names;
  for (const tensorrt::NetworkLayer& layer : network.layers) {
    for (const auto& attribute : layer.attributes) names[layer.kind].push_back(attribute.name);
  }
  EXPECT_THAT(names["CONVOLUTION"], testing::IsSupersetOf({"padding_mode", "num_groups", "stride_nd", "dilation_nd"}));
  EXPECT_THAT(names["CONVOLUTION"], testing::Not(testing::Contains("alpha")));
  EXPECT_THAT(names["ACTIVATION"], ElementsAre("type", "alpha", "beta", "metadata"));
  EXPECT_THAT(names["SOFTMAX"], ElementsAre("axes", "metadata"));
  EXPECT_THAT(names["SHUFFLE"], testing::IsSupersetOf({"first_transpose", "reshape_dims", "second_transpose"}));
}

// The worker has the headers of a later version. A function that TensorRT 10.0 doesn't have ends the stand-in.
TEST_F(TensorRt, TheLibraryMayBeOlderThanTheHeaders) {
  use_oldest_library();
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (int64[1, K] y) <int64[1] b = {1}, int64[1] e = {3}> { a = Slice(x, b, e) y = NonZero(a) })");
  const auto result = run(model, named("x", floats({4}, {1, 0, 2, 3})));
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_EQ(result->outputs.find("y")->load<std::int64_t>(0), 1);
  with_option("save_network", path("network.json"));
  const auto session = load(model);
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_THAT(base::read_file(path("network.json")).value(), AllOf(HasSubstr("SLICE"), HasSubstr("NON_ZERO")));
}

// In float16, the sum is larger than the largest number.
TEST_F(TensorRt, LayersKeepThePrecisionThatTheyAreGiven) {
  ASSAY_NEEDS_TENSORRT_10();
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1] x) => (float[1] y) { [twice] s = Add(x, x) [last] y = Relu(s) })");
  const auto result = [&] {
    const auto outputs = run(model, named("x", floats({1}, {50000})));
    return outputs ? values(*outputs->outputs.find("y")) : std::vector<float>();
  };
  with("--fp16").with("--layer-precisions", {"twice:float32", "last:float32"});
  EXPECT_THAT(result(), ElementsAre(std::numeric_limits<float>::infinity())) << "nothing says that precisions count";
  with("--precision-constraints", {"obey"});
  EXPECT_THAT(result(), ElementsAre(100000));
}

TEST_F(TensorRt, TheTimingCacheIsSavedAndExtended) {
  with("--save-timing-cache", {path("timing")});
  ASSERT_TRUE(load(from_text(kModel)));
  const std::string first = base::read_file(path("timing")).value();
  ASSERT_TRUE(load(
      from_text(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[3] x) => (float[3] y) { y = Identity(x) })")));
  const std::string second = base::read_file(path("timing")).value();
  EXPECT_GT(second.size(), first.size());
  ASSERT_TRUE(base::write_file(path("timing"), "damaged"));
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), AllOf(HasSubstr("timing cache"), HasSubstr(path("timing"))));
  given_ = {};
  with("--load-timing-cache", {path("missing")});
  const auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_THAT(texts((*session)->info().messages, base::Level::warning),
              ElementsAre(HasSubstr("no timing cache " + path("missing"))));
}

constexpr auto kIdentity =
    R"(<ir_version: 8, opset_import: ["" : 17]> g (float[3] x) => (float[3] y) { y = Identity(x) })";

TEST_F(TensorRt, OneTimingCacheIsLoadedAndAnotherExtended) {
  const auto save = [&](const char* model, const std::string& file) {
    given_ = {};
    with("--save-timing-cache", {file});
    ASSERT_TRUE(load(from_text(model)));
  };
  save(kModel, path("model"));
  save(kIdentity, path("identity"));
  const std::string identity = base::read_file(path("identity")).value();
  given_ = {};
  with("--load-timing-cache", {path("model")}).with("--save-timing-cache", {path("identity")});
  ASSERT_TRUE(load(from_text(kModel)));
  const std::string both = base::read_file(path("identity")).value();
  EXPECT_THAT(both, HasSubstr(identity.substr(identity.find('\n')))) << "what the file had stays in it";
  EXPECT_GT(both.size(), identity.size());
  ASSERT_TRUE(base::write_file(path("identity"), "damaged"));
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr(path("identity")));
  EXPECT_EQ(base::read_file(path("identity")).value(), "damaged");
}

TEST_F(TensorRt, ATimingCacheInWhosePlaceTensorRtBeginsAnEmptyOneIsRefused) {
  misbehave("lenient_cache");
  ASSERT_TRUE(base::write_file(path("damaged"), "damaged"));
  for (const char* option : {"--load-timing-cache", "--save-timing-cache"}) {
    given_ = {};
    with(option, {path("damaged")});
    EXPECT_THAT(load_error(from_text(kModel), Phase::build),
                HasSubstr("can't use the timing cache " + path("damaged")));
  }
  EXPECT_EQ(base::read_file(path("damaged")).value(), "damaged");
  ASSERT_TRUE(base::write_file(path("empty"), ""));
  given_ = {};
  with("--load-timing-cache", {path("empty")});
  EXPECT_EQ(load_error(from_text(kModel), Phase::build), "no error");
}

TEST_F(TensorRt, ATimingCacheThatAnotherBuildHasWrittenIsKept) {
  misbehave("late_cache");
  ::setenv("ASSAY_FAKE_CACHE", path("cache").c_str(), 1);
  with("--save-timing-cache", {path("cache")});
  const auto session = load(from_text(kModel));
  ::unsetenv("ASSAY_FAKE_CACHE");
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_EQ(base::read_file(path("cache")).value(), "a cache of another GPU");
  EXPECT_THAT(texts((*session)->info().messages, base::Level::warning),
              Contains(HasSubstr("another program has written this file")));
}

TEST_F(TensorRt, AFileThatIsLoadedAndSavedNeedntExist) {
  with("--load-timing-cache", {path("timing")}).with("--save-timing-cache", {path("timing")});
  for (const char* model : {kModel, kIdentity}) {
    const auto session = load(from_text(model));
    ASSERT_TRUE(session) << worker::describe(session.error());
  }
  EXPECT_THAT(base::read_file(path("timing")).value(), AllOf(HasSubstr("kACTIVATION"), HasSubstr("kIDENTITY")));
}

TEST_F(TensorRt, ProfilesThatTensorRtDoesntMakeAreErrors) {
  misbehave("null_profile");
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("made no optimisation profile: "));
}

TEST_F(TensorRt, PatternsDontStandForConstants) {
  const auto outputs = [&](const char* setting, const char* word) {
    given_ = {};
    with(setting, {word});
    const auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[2] x) => (float[2] y, float[2] c) { c = Constant<value = float[2] {1, 2}>() s = Relu(x) y = Add(s, c) })"));
    EXPECT_TRUE(session) << worker::describe(session.error());
    std::vector<std::string> names;
    if (!session) return names;
    for (const worker::Port& port : (*session)->info().outputs) names.push_back(port.name);
    return names;
  };
  EXPECT_THAT(outputs("--trt-outputs", "s"), ElementsAre("s"));
  EXPECT_THAT(outputs("--trt-outputs", "*"), testing::UnorderedElementsAre("s", "y"));
  EXPECT_THAT(outputs("--trt-outputs", "c"), ElementsAre("c"));
  EXPECT_THAT(outputs("--trt-outputs-by-type", "constant"), ElementsAre("c"));
  EXPECT_THAT(outputs("--trt-exclude-outputs", "c"), ElementsAre("y"));
  EXPECT_THAT(outputs("--trt-exclude-outputs", "[sy]"), ElementsAre("c"));
}

TEST_F(TensorRt, WeightsAreStreamedWithinTheBudget) {
  const auto x = named("x", floats({2}, {100, 200}));
  const auto result_of = [&](const std::vector<std::string>& settings, const char* budget) {
    given_ = {};
    for (const std::string& setting : settings) with(setting);
    with("--weight-streaming-budget", {budget});
    return run(from_text(kWeightsModel), x);
  };
  for (const char* budget : {"-2", "-1", "0", "50%", "1K"}) {
    const auto result = result_of({"--weight-streaming", "--strongly-typed"}, budget);
    EXPECT_THAT(sums(result), ElementsAre(111, 222)) << budget;
  }
  EXPECT_TRUE(result_of({}, "-2")) << "without streaming, all weights are on the GPU";
  const auto refused = result_of({}, "0");
  ASSERT_FALSE(refused);
  EXPECT_THAT(message(refused.error(), Phase::load), HasSubstr("the engine can't stream weights"));
}

TEST_F(TensorRt, TheTimingCacheCanBeEditable) {
  with("--editable-timing-cache").with("--save-timing-cache", {path("cache")}).with_option("save_built", path("built"));
#if ASSAY_TENSORRT_SINCE_10(8)
  ASSERT_TRUE(load(from_text(kModel)));
  EXPECT_THAT(plan("built"), HasSubstr("kEDITABLE_TIMING_CACHE"));
#else
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("10.8"));
#endif
}

// Saves calibration data for kModel: batches of `rows` rows.
void save_batch(const std::string& folder, int number, std::int64_t rows, float last) {
  std::filesystem::create_directories(folder);
  std::vector<float> x(static_cast<std::size_t>(rows) * 2, 0);
  x.back() = last;
  ASSERT_TRUE(tensor::write_npz(folder + "/" + std::to_string(number) + ".npz", named("x", floats({rows, 2}, x))));
}

TEST_F(TensorRt, CalibratesWithDataAndWritesTheCache) {
  ASSAY_NEEDS_TENSORRT_10();
  for (const char* base :
       {"IInt8EntropyCalibrator2", "IInt8MinMaxCalibrator", "IInt8EntropyCalibrator", "IInt8LegacyCalibrator"}) {
    given_ = {};
    const std::string cache = path(base);
    with("--int8").with("--calibration-cache", {cache}).with("--calib-base-cls", {base});
    save_batch(path("data"), 0, 3, -2);
    save_batch(path("data"), 1, 3, 5);
    with_option("calibration_data", path("data"));
    const auto session = load(from_text(kModel));
    ASSERT_TRUE(session) << base << ": " << worker::describe(session.error());
    EXPECT_EQ(base::read_file(cache).value(), "fake calibration of 2 batches\nx: -2.000000 to 5.000000\n");
    options_.clear();  // the cache is read from now on
    EXPECT_TRUE(load(from_text(kModel))) << base;
  }
  given_ = {};
  with("--int8").with("--calib-base-cls", {"IInt8Calibrator3"});
  with_option("calibration_data", path("data"));
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("there is no IInt8Calibrator3"));
}

TEST_F(TensorRt, UselessCalibrationDataAreErrors) {
  ASSAY_NEEDS_TENSORRT_10();
  with("--int8").with("--calibration-cache", {path("cache")});
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("missing or empty"));
  save_batch(path("data"), 0, 3, 1);
  save_batch(path("data"), 1, 2, 1);
  with_option("calibration_data", path("data"));
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("with the shapes [3,2] and [2,2]"));
  std::filesystem::remove(path("cache"));  // TensorRT only learns that there are no more batches
  ASSERT_TRUE(base::write_file(path("data") + "/1.npz", "damaged"));
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("1.npz"));
  std::filesystem::remove(path("cache"));
  ASSERT_TRUE(tensor::write_npz(path("data") + "/0.npz", named("z", floats({1}, {1}))));
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("no input 'x'"));
}

TEST_F(TensorRt, SettingsForCalibrationNeedInt8) {
  ASSAY_NEEDS_TENSORRT_10();
  with("--calibration-cache", {path("missing")});
  const auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_THAT(texts((*session)->info().messages, base::Level::warning), ElementsAre(HasSubstr("without --int8")));
}

TEST_F(TensorRt, ShapesThatDependOnValuesComeBack) {
  const auto result = run(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (int64[1, K] y) { y = NonZero(x) })"),
                          named("x", floats({4}, {0, 1, 0, 2})));
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_EQ(result->outputs.find("y")->shape(), (tensor::Shape{1, 2}));
  EXPECT_EQ(result->outputs.find("y")->load<std::int64_t>(1), 3);
}

TEST_F(TensorRt, TensorsMarkedForDebuggingFollowTheOutputs) {
  with("--mark-debug", {"s", "x"}).with("--decomposable-attentions");
  auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  for (const float first : {-1.0F, 3.0F}) {
    const auto result = (*session)->infer(named("x", floats({1, 2}, {first, 2})), {"y"}, {});
    ASSERT_TRUE(result) << worker::describe(result.error());
    EXPECT_THAT(result->outputs.names(), ElementsAre("y", "x", "s"));
    EXPECT_THAT(values(*result->outputs.find("s")), ElementsAre(2 * first, 4));
  }
  given_ = {};
  with("--mark-debug", {"q"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("has no tensor 'q'"));
}

TEST_F(TensorRt, TensorsThatCantBeMarkedForDebuggingAreErrors) {
  misbehave("no_debug");
  with("--mark-debug", {"s"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::build),
              HasSubstr("TensorRT can't mark the tensor 's' for debugging"));
}

TEST_F(TensorRt, SettingsThatTensorRt11RemovedAreRefusedAtTheStart) {
  if (ASSAY_TENSORRT_UNTIL_10) GTEST_SKIP() << "the headers are those of TensorRT 10";
  with("--fp16");
  EXPECT_THAT(load_error(from_text(kModel), Phase::start), HasSubstr("TensorRT 11 no longer has --fp16"));
  given_ = {};
  with("--tactic-sources", {"cudnn"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::start), HasSubstr("TensorRT 11 has removed 'CUDNN'"));
  given_ = {};
  with("--max-aux-streams", {"-1"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("TensorRT doesn't accept --max-aux-streams -1"));
}

TEST_F(TensorRt, StronglyTypedNetworksHaveNoOtherTypes) {
  ASSAY_NEEDS_TENSORRT_10();
  with("--strongly-typed").with("--tensor-dtypes", {"y:float16"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("is strongly typed"));
  given_ = {};
  with("--strongly-typed").with("--fp16");
  EXPECT_THAT(load_error(from_text(kModel), Phase::start), HasSubstr("Leave out --fp16 or --strongly-typed"));
}

TEST_F(TensorRt, ErrorsNameTheSettingThatIsMissing) {
  ASSAY_NEEDS_TENSORRT_10();
  with("--weight-streaming");
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("networks.). Add --strongly-typed"));
  given_ = {};
  with("--layer-precisions", {"*:float16"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("in the builder.). Add --fp16"));
}

TEST_F(TensorRt, ProfilesWhoseShapesDontFitTogetherAreErrors) {
  with("--trt-min-shapes", {"x:[1,3]"});
  EXPECT_THAT(load_error(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, N] x, float[N, 1] y) => (float[1, 1] z) { z = MatMul(x, y) })"),
                         Phase::build),
              AllOf(HasSubstr("violate shape constraints"), HasSubstr("those that aren't given are 1")));
}

TEST_F(TensorRt, SettingsThatTensorRtRefusesAreErrors) {
  with("--use-dla");
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("this machine has no DLA"));
  given_ = {};
  with("--builder-optimization-level", {"9"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("level 9 isn't in [0, 5]"));
}

TEST_F(TensorRt, TensorsInsideALoopAreNoOutputs) {
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { a = Relu(x) b = Identity(a) y = Add(b, b) })");
  misbehave("in_loop");
  with("--trt-outputs", {"*"});
  {
    const auto session = load(model);
    ASSERT_TRUE(session) << worker::describe(session.error());
    EXPECT_EQ((*session)->info().outputs.size(), 2);
    EXPECT_THAT(texts((*session)->info().messages, base::Level::warning), ElementsAre(HasSubstr("left out: b")));
  }
  given_ = {};
  with("--trt-outputs", {"b"});
  EXPECT_THAT(load_error(model, Phase::build), HasSubstr("b is inside a loop"));
}

TEST_F(TensorRt, PatternsSkipWhatIsInsideLoopsAndConditionals) {
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { a = Relu(x) b = Dropout(a) c = Relu(b) d = Dropout(c) y = Add(d, x) })");
  for (const char* kind : {"loop", "conditional"}) {
    SCOPED_TRACE(kind);
    misbehave(kind);
    SetUp();  // a new pool, whose workers see the variable
    given_ = {};
    with("--trt-outputs", {"*"});
    const auto session = load(model);
    ASSERT_TRUE(session) << worker::describe(session.error());
    std::vector<std::string> names;
    for (const worker::Port& port : (*session)->info().outputs) names.push_back(port.name);
    EXPECT_THAT(names, testing::UnorderedElementsAre("a", "d", "y"));
    EXPECT_THAT(texts((*session)->info().messages, base::Level::warning),
                ElementsAre(AnyOf(HasSubstr("left out: b, c"), HasSubstr("left out: c, b"))));
    given_ = {};
    with("--trt-outputs", {"c"});
    EXPECT_THAT(load_error(model, Phase::build), HasSubstr("'c' as an output: it is inside a loop or a conditional"));
  }
}

TEST_F(TensorRt, PatternsSkipBooleansOnWhichShapesDepend) {
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[3, 2] x) => (float[A, B] y) <int64[1] zero = {0}> {
      s = Shape(x) b = Cast<to = 9>(s) i = Cast<to = 7>(b) n = Mul(i, zero) m = Add(s, n) y = Reshape(x, m) })");
  with("--trt-outputs", {"*"});
  {
    const auto session = load(model);
    ASSERT_TRUE(session) << worker::describe(session.error());
    EXPECT_THAT(texts((*session)->info().messages, base::Level::warning), ElementsAre(HasSubstr("left out: b")));
    const auto result = (*session)->infer(named("x", floats({3, 2}, {1, 2, 3, 4, 5, 6})), {}, {});
    ASSERT_TRUE(result) << worker::describe(result.error());
    const Tensor* shape = result->outputs.find("m");
    ASSERT_NE(shape, nullptr);
    EXPECT_EQ(shape->load<std::int64_t>(0), 3);
  }
  given_ = {};
  with("--trt-outputs", {"b"});
  EXPECT_THAT(load_error(model, Phase::build), HasSubstr("ShapeHostToDeviceCopy"));
}

TEST_F(TensorRt, ATypeOfOutputsThatNoLayerHasIsRefused) {
  with("--trt-outputs-by-type", {"softmax"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("network has no layer of the type SOFTMAX"));
}

TEST_F(TensorRt, PluginsServeBuilderAndRuntime) {
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { a = Relu(x) y = FakePlugin(a) })");
  EXPECT_THAT(load_error(model, Phase::load), HasSubstr("FakePlugin"));
  for (const char* library : {"libassay_fake_plugin.so", "libassay_fake_plugin_old.so"}) {
    given_ = {};
    options_ = {{"save_built", path("x.plan")}};
    with("--plugins", {test::fake("tensorrt/plugins/" + std::string(library))});
    for (int repeat = 0; repeat < 2; ++repeat) {
      const auto result = run(model, named("x", floats({2}, {-1, 2})));
      ASSERT_TRUE(result) << library << ": " << worker::describe(result.error());
      EXPECT_THAT(values(*result->outputs.find("y")), ElementsAre(0, 2));
    }
    options_ = {{"model_type", "engine"}};
    const auto result = run(worker::ModelFile{path("x.plan")}, named("x", floats({2}, {-1, 2})));
    EXPECT_TRUE(result) << library << ": " << worker::describe(result.error());
  }
  given_ = {};
  EXPECT_THAT(load_error(worker::ModelFile{path("x.plan")}, Phase::load),
              AllOf(HasSubstr("FakePlugin"), HasSubstr("--plugins")));
  with("--plugins", {path("x.plan")});
  EXPECT_THAT(load_error(worker::ModelFile{path("x.plan")}, Phase::load),
              HasSubstr("cannot open the library of plug-"));
}

TEST_F(TensorRt, ALibraryOfPluginsThatIsOpenAlreadyIsAccepted) {
  const std::string library = test::fake("tensorrt/plugins/libassay_fake_plugin.so");
  std::filesystem::create_symlink(library, path("again.so"));
  with("--plugins", {library, path("again.so")});
  const auto session = load(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = FakePlugin(x) })"));
  EXPECT_TRUE(session) << worker::describe(session.error());
}

TEST_F(TensorRt, AnEngineWithItsRuntimeContainsThePluginsOfTheParser) {
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = FakePlugin(x) })");
  const auto plan_with = [&](const std::vector<std::string>& settings) {
    given_ = {};
    with("--plugins", {test::fake("tensorrt/plugins/libassay_fake_plugin.so")});
    for (const std::string& setting : settings) with(setting);
    with_option("save_built", path("x.plan"));
    EXPECT_TRUE(load(model));
    return plan("x.plan");
  };
  EXPECT_THAT(plan_with({"--version-compatible"}), HasSubstr("libfake_vc_plugin.so"));
  EXPECT_THAT(plan_with({"--version-compatible", "--exclude-lean-runtime"}), Not(HasSubstr("libfake_vc_plugin.so")));
  EXPECT_THAT(plan_with({}), Not(HasSubstr("libfake_vc_plugin.so")));
}

TEST_F(TensorRt, AnEngineWithItsRuntimeContainsThePluginsOfTheUser) {
  const auto model = from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = FakePlugin(x) })");
  const std::string library = test::fake("tensorrt/plugins/libassay_fake_plugin.so");
  with("--version-compatible").with("--serialize-plugins", {library}).with_option("save_built", path("x.plan"));
  const auto x = named("x", floats({2}, {1, 2}));
  const auto built = run(model, x);
  ASSERT_TRUE(built) << worker::describe(built.error());
  EXPECT_THAT(plan("x.plan"), AllOf(HasSubstr("libfake_vc_plugin.so"), HasSubstr(library)));
  given_ = {};
  options_ = {{"model_type", "engine"}};
  SetUp();  // a new pool, whose workers haven't loaded the plug-ins
  const auto opened = run(worker::ModelFile{path("x.plan")}, x);
  EXPECT_TRUE(opened) << worker::describe(opened.error());
}

TEST_F(TensorRt, AnEngineIsBuiltForACoreOfTheDlaAndRunsOnIt) {
  misbehave("dla");
  const auto x = named("x", floats({1, 2}, {1, 2}));
  with("--use-dla").with_option("save_built", path("x.plan"));
  const auto core_of = [&](const worker::ModelSource& model) {
    const auto session = load(model);
    EXPECT_TRUE(session) << worker::describe(session.error());
    return texts((*session)->info().messages, base::Level::verbose);
  };
  EXPECT_THAT(core_of(from_text(kModel)), Contains(HasSubstr("runs on core 0 of the DLA")));
  if (ASSAY_TENSORRT_UNTIL_10) {
    EXPECT_THAT(plan("x.plan"),
                AllOf(HasSubstr("kFP16"), HasSubstr("kPREFER_PRECISION_CONSTRAINTS"), HasSubstr("kDIRECT_IO")));
  }
  with("--dla-core", {"1"});
  EXPECT_THAT(core_of(from_text(kModel)), Contains(HasSubstr("runs on core 1 of the DLA")));
  EXPECT_THAT(plan("x.plan"), HasSubstr(R"("dla_core":1)"));
  given_ = {};
  options_ = {{"model_type", "engine"}};
  EXPECT_THAT(core_of(worker::ModelFile{path("x.plan")}), Not(Contains(HasSubstr("of the DLA"))));
  with("--dla-core", {"1"});
  EXPECT_THAT(core_of(worker::ModelFile{path("x.plan")}), Contains(HasSubstr("runs on core 1 of the DLA")));
  given_ = {};
  with("--dla-core", {"2"});
  EXPECT_THAT(load_error(worker::ModelFile{path("x.plan")}, Phase::load), HasSubstr("has no core 2. It has 2"));
  with("--use-dla");
  options_ = {};
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("has no core 2. It has 2"));
}

TEST_F(TensorRt, WithoutADlaEverythingMayFallBackToTheGpu) {
  with("--use-dla").with("--allow-gpu-fallback");
  {
    const auto session = load(from_text(kModel));
    ASSERT_TRUE(session) << worker::describe(session.error());
    EXPECT_THAT(texts((*session)->info().messages, base::Level::warning),
                Contains(HasSubstr("no DLA, so all layers run on the GPU")));
  }
  with("--dla-core", {"1"});
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("this machine has no DLA"));
}

TEST_F(TensorRt, ATimingCacheOfAnotherGpuIsRefused) {
  with("--save-timing-cache", {path("timing")});
  ASSERT_TRUE(load(from_text(kModel)));
  misbehave("other_gpu");
  SetUp();  // a new pool, whose workers see the variable
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), AllOf(HasSubstr(path("timing")), HasSubstr("another GPU")));
}

TEST_F(TensorRt, UnfusedTensorsAreShown) {
  with("--mark-unfused-tensors-as-debug-tensors");
#if ASSAY_TENSORRT_SINCE_10(12)
  const auto result = run(from_text(kModel), named("x", floats({1, 2}, {-1, 2})));
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_THAT(result->outputs.names(), ElementsAre("y", "s"));
#else
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("headers of TensorRT 10.12 or later"));
#endif
}

TEST_F(TensorRt, EmptyTensorsAndScalarsRun) {
  with("--trt-min-shapes", {"x:[0,2]"}).with("--trt-opt-shapes", {"x:[1,2]"}).with("--trt-max-shapes", {"x:[1,2]"});
  const auto empty = run(from_text(kModel), named("x", floats({0, 2}, {})));
  ASSERT_TRUE(empty) << worker::describe(empty.error());
  EXPECT_EQ(empty->outputs.find("y")->shape(), (tensor::Shape{0, 2}));
  given_ = {};
  const auto scalar =
      run(from_text(R"(<ir_version: 8, opset_import: ["" : 17]> g (float x) => (float y) { y = Relu(x) })"),
          named("x", floats({}, {5})));
  ASSERT_TRUE(scalar) << worker::describe(scalar.error());
  EXPECT_THAT(values(*scalar->outputs.find("y")), ElementsAre(5));
}

TEST_F(TensorRt, MemoryIsAllocatedWhenTheUserSays) {
  for (const char* when : {"static", "profile", "runtime"}) {
    given_ = {};
    with("--allocation-strategy", {when});
    EXPECT_TRUE(run(from_text(kModel), named("x", floats({1, 2}, {1, 2})))) << when;
    for (const char* shapes : {"x:[2,2]", "x:[8,2]"}) {
      with("--trt-min-shapes", {shapes}).with("--trt-opt-shapes", {shapes}).with("--trt-max-shapes", {shapes});
    }
    const auto session = load(from_text(kModel));
    ASSERT_TRUE(session) << worker::describe(session.error());
    for (const int rows : {2, 8, 2}) {
      const std::vector<float> fed(static_cast<std::size_t>(rows) * 2);
      EXPECT_TRUE((*session)->infer(named("x", floats({rows, 2}, fed)), {}, {})) << when << " " << rows;
    }
  }
}

TEST_F(TensorRt, MemoryOfUnknownSizeIsAnError) {
  misbehave("no_sizes");
  with("--allocation-strategy", {"runtime"});
  EXPECT_THAT(run_error(floats({1, 2}, {1, 2}), Phase::run), HasSubstr("the sizes can't be computed"));
}

TEST_F(TensorRt, ARuntimeOfUnknownVersionIsTakenForTheOldest) {
  with_option("save_built", path("x.plan"));
  ASSERT_TRUE(load(from_text(kModel)));
  misbehave("hide_runtime");
  SetUp();  // a new pool, whose workers see the variable
  options_ = {{"model_type", "engine"}};
  with("--allocation-strategy", {"runtime"});
  const auto result = run(worker::ModelFile{path("x.plan")}, named("x", floats({1, 2}, {1, 2})));
  ASSERT_TRUE(result) << worker::describe(result.error());
  EXPECT_THAT(values(*result->outputs.find("y")), ElementsAre(2, 4));
}

// The stand-in's lean runtime ends the process if a function is called that TensorRT 10.0 doesn't have.
TEST_F(TensorRt, ALeanRuntimeMayBeOlderThanTheLibrary) {
  const auto x = named("x", floats({1, 2}, {1, 2}));
  with("--version-compatible").with("--exclude-lean-runtime").with("--refittable");
  with_option("save_built", path("x.plan"));
  ASSERT_TRUE(load(from_text(kModel)));
  std::filesystem::copy_file(library(), path("lean.so"));
  options_ = {{"model_type", "engine"}};
  for (const char* when : {"static", "profile", "runtime"}) {
    given_ = {};
    with("--load-runtime", {path("lean.so")}).with("--allocation-strategy", {when});
    const auto result = run(worker::ModelFile{path("x.plan")}, x);
    ASSERT_TRUE(result) << worker::describe(result.error());
    EXPECT_THAT(values(*result->outputs.find("y")), ElementsAre(2, 4));
  }
  if (ASSAY_TENSORRT_UNTIL_10) {
    with("--mark-unfused-tensors-as-debug-tensors");
    EXPECT_THAT(load_error(worker::ModelFile{path("x.plan")}, Phase::load),
                HasSubstr("needs TensorRT 10.12 or later, and the engine is run by 10.0.0"));
  }
  given_ = {};
  with("--load-runtime", {path("x.plan")});
  EXPECT_THAT(load_error(worker::ModelFile{path("x.plan")}, Phase::load), HasSubstr("isn't a runtime of TensorRT"));
}

TEST_F(TensorRt, EnginesWithWeightsOpenWithoutErrors) {
  for (const char* setting : {"--tf32", "--refittable"}) {
    given_ = {};
    with(setting);
    const auto session = load(from_text(kWeightsModel));
    ASSERT_TRUE(session) << worker::describe(session.error());
    EXPECT_THAT(texts((*session)->info().messages, base::Level::error), testing::IsEmpty()) << setting;
  }
}

TEST_F(TensorRt, RefusedModelsNameTheirNodes) {
  const std::string unknown = load_error(from_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { t = Relu(x) y = Xelu(t) })"),
                                         Phase::load);
  EXPECT_THAT(unknown, AllOf(HasSubstr("Xelu"), HasSubstr("node 1")));
  EXPECT_NE(load_error(worker::ModelBytes{tensor::Buffer::own(std::string("\x12\x34 no model")), {}}, Phase::load),
            "no error");
  EXPECT_NE(load_error(worker::ModelFile{path("missing.onnx")}, Phase::load), "no error");
}

TEST_F(TensorRt, TellsWhichNodesTheParserTakes) {
  const auto capability_of = [this](const char* model) {
    with_option("save_capability", path("answer.json"));
    const auto session = load(from_text(model));
    EXPECT_TRUE(session) << worker::describe(session.error());
    return tensorrt::parse_capability(base::read_file(path("answer.json")).value()).value();
  };
  const auto whole = capability_of(kModel);
  EXPECT_TRUE(whole.supported);
  ASSERT_EQ(whole.groups.size(), 1);
  EXPECT_TRUE(whole.groups[0].supported);
  const auto partly = capability_of(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (int64[1, K] z) { a = Add(x, x) y = Relu(a) z = NonZero(y) })");
  EXPECT_FALSE(partly.supported);
  ASSERT_EQ(partly.groups.size(), 1);
  EXPECT_THAT(partly.groups[0].nodes, ElementsAre(0, 1));
  EXPECT_FALSE(partly.groups[0].supported) << "it has to be asked about alone";
  const auto nothing = capability_of(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4] x) => (int64[1, K] y) { y = NonZero(x) })");
  EXPECT_FALSE(nothing.supported);
  EXPECT_THAT(nothing.groups, testing::IsEmpty());
  EXPECT_THAT(nothing.errors, testing::IsEmpty());
}

TEST_F(TensorRt, FailuresOfTensorRtAreOutcomes) {
  misbehave("null_builder");
  EXPECT_THAT(load_error(from_text(kModel), Phase::start),
              AllOf(HasSubstr("CUDA initialization failure with error: 35"),
                    HasSubstr("NVIDIA's driver supports CUDA 12.4, which is too old: install a newer driver")));
}

TEST_F(TensorRt, ARuntimeThatIsNotValidIsNotUsed) {
  with_option("save_built", path("m.plan"));
  ASSERT_TRUE(load(from_text(kModel)));
  misbehave("invalid_runtime");
  SetUp();  // a new pool, whose workers see the variable
  options_ = {{"model_type", "engine"}};
  EXPECT_THAT(load_error(worker::ModelFile{path("m.plan")}, Phase::start),
              AllOf(HasSubstr("CUDA initialization failure with error: 35"), HasSubstr("install a newer driver")));
}

TEST_F(TensorRt, TheBuilderNeedsTheLibraryOfItsKernels) {
  use_oldest_library();
  std::filesystem::remove(path("lean/libnvinfer_builder_resource_fake.so"));
  EXPECT_THAT(load_error(from_text(kModel), Phase::start),
              HasSubstr("Unable to load library: libnvinfer_builder_resource_fake.so"));
}

TEST_F(TensorRt, AFailedBuildHasItsReason) {
  misbehave("fail_build");
  EXPECT_THAT(load_error(from_text(kModel), Phase::build), HasSubstr("Error Code"));
}

TEST_F(TensorRt, SkippedTacticsDontHideWhyABuildFails) {
  misbehave("no_tactics");
  EXPECT_THAT(load_error(from_text(kModel), Phase::build),
              AllOf(StartsWith("Error Code 10: Internal Error (Could not find any implementation"),
                    HasSubstr("Skipping tactic 0x29 due to"), Not(HasSubstr("Skipping tactic 0x28"))));
}

TEST_F(TensorRt, SkippedTacticsAreOneWarningForEachReason) {
  misbehave("skip_tactics");
  const auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  const auto& messages = (*session)->info().messages;
  EXPECT_THAT(texts(messages, base::Level::error), testing::IsEmpty());
  EXPECT_THAT(texts(messages, base::Level::warning), ElementsAre(HasSubstr("due to exception canImplement")));
}

// TensorRT may log that no tactic is left as an error, and why as warnings.
TEST_F(TensorRt, OutOfMemoryIsAnOutcome) {
  for (const char* word : {"no_memory", "little_memory"}) {
    misbehave(word);
    const auto session = load(from_text(kModel));
    ASSERT_FALSE(session);
    EXPECT_TRUE(std::holds_alternative<worker::OutOfMemory>(session.error())) << worker::describe(session.error());
  }
}

TEST_F(TensorRt, TheGpusMemoryCanRunOut) {
  ::setenv("ASSAY_FAKE_CUDA", "no_memory", 1);
  for (const char* when :
       {"static", "profile", "runtime"}) {  // TensorRT has no memory for activations, or we for inputs
    given_ = {};
    with("--allocation-strategy", {when});
    const auto result = run(from_text(kModel), named("x", floats({1, 2}, {1, 2})));
    ASSERT_FALSE(result);
    EXPECT_TRUE(std::holds_alternative<worker::OutOfMemory>(result.error())) << worker::describe(result.error());
  }
}

TEST_F(TensorRt, AnEngineThatIsOnlyShownNeedsNoMemory) {
  ::setenv("ASSAY_FAKE_CUDA", "no_memory", 1);
  with_option("save_layers", path("layers.json"));
  const auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_TRUE(tensorrt::load_engine_info(path("layers.json")));
}

TEST_F(TensorRt, AnEngineThatCantBeReadHasItsReason) {
  misbehave("fail_plan");
  EXPECT_THAT(load_error(from_text(kModel), Phase::load), HasSubstr("Error Code"));
}

// The stand-in takes none of these engines.
TEST_F(TensorRt, AnEngineThatCantBeReadSaysWhoBuiltIt) {
  with_option("model_type", "engine");
  const auto error = [this](const std::string& bytes) {
    return load_error(worker::ModelBytes{.bytes = tensor::Buffer::own(bytes), .external_data_dir = {}}, Phase::load);
  };
  const auto built_by = [](const std::string& version) { return "ftrt" + std::string(20, '\0') + version + "rest"; };
  const auto major = static_cast<char>(NV_TENSORRT_MAJOR);
  EXPECT_THAT(error(built_by({8, 6, 1, 6})),
              AllOf(HasSubstr("TensorRT 8.6.1 has built the engine, and this is TensorRT"), HasSubstr("Build it again"),
                    Not(HasSubstr("--trt-lib"))));
  EXPECT_THAT(error(built_by({major, 99, 1, 6})),
              AllOf(HasSubstr(".99.1 has built the engine"), HasSubstr("--trt-lib")));
  EXPECT_THAT(error("PK"), HasSubstr("isn't an engine of TensorRT"));
  const auto own = error(built_by({major, NV_TENSORRT_MINOR, NV_TENSORRT_PATCH, 0}));
  EXPECT_THAT(own, AllOf(HasSubstr("Error Code"), Not(HasSubstr("has built")), Not(HasSubstr("isn't an engine"))));
}

TEST_F(TensorRt, AnEngineThatIsOnlyBuiltIsNotOpened) {
  misbehave("fail_plan");
  with_option("build_only", "on").with_option("save_built", path("built.plan"));
  const auto session = load(from_text(kModel));
  ASSERT_TRUE(session) << worker::describe(session.error());
  EXPECT_GT(std::filesystem::file_size(path("built.plan")), 0U);
  EXPECT_THAT((*session)->info().outputs, testing::IsEmpty());
  const auto result = (*session)->infer(named("x", floats({1, 2}, {1, 2})), {}, {});
  EXPECT_THAT(worker::describe(result.error()), HasSubstr("the engine was built, but not opened"));
}

TEST_F(TensorRt, WarningsComeBackOnceForEachModel) {
  misbehave("warn");
  for (int model = 0; model < 2; ++model) {
    const auto session = load(from_text(kModel));
    ASSERT_TRUE(session) << worker::describe(session.error());
    EXPECT_THAT(texts((*session)->info().messages, base::Level::warning), ElementsAre(HasSubstr("cast a weight down")));
    EXPECT_THAT(texts((*session)->info().messages, base::Level::verbose),
                ElementsAre("runs on Fake GPU; NVIDIA's driver supports CUDA 12.4", HasSubstr("has built a plan"),
                            HasSubstr("creates a context")));
    const auto first = (*session)->infer(named("x", floats({1, 2}, {1, 2})), {}, {});
    ASSERT_TRUE(first);
    EXPECT_THAT(texts(first->messages, base::Level::warning), ElementsAre("The default stream is slow."));
    const auto second = (*session)->infer(named("x", floats({1, 2}, {1, 2})), {}, {});
    ASSERT_TRUE(second);
    EXPECT_THAT(second->messages, testing::IsEmpty());
  }
}

TEST_F(TensorRt, AFailedRunHasItsReason) {
  misbehave("fail_run");
  EXPECT_THAT(run_error(floats({1, 2}, {1, 2}), Phase::run), HasSubstr("Error Code"));
}

TEST_F(TensorRt, CrashesAreOutcomes) {
  misbehave("crash_builder");
  auto session = load(from_text(kModel));
  ASSERT_FALSE(session);
  EXPECT_THAT(worker::describe(session.error()), HasSubstr("signal 11"));
  misbehave("crash_run");
  const auto result = run(from_text(kModel), named("x", floats({1, 2}, {1, 2})));
  ASSERT_FALSE(result);
  EXPECT_THAT(worker::describe(result.error()), HasSubstr("signal 11"));
}

TEST_F(TensorRt, AHungBuildEndsAtItsLimit) {
  misbehave("hang_build");
  worker::Limits limits;
  limits.time_s = 0.5;
  const auto session = load(from_text(kModel), limits);
  ASSERT_FALSE(session);
  EXPECT_TRUE(std::holds_alternative<worker::TimedOut>(session.error())) << worker::describe(session.error());
}

}  // namespace
}  // namespace assay::backend

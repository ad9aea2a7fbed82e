// What the fake TensorRT does right: building, loading, running, and remembering settings.
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/fakes/tensorrt/sdk/sdk_fake_support.h"

namespace fake_tensorrt {
namespace {

using nvinfer1::BuilderFlag;
using nvinfer1::DataType;
using nvinfer1::Dims;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

TEST_F(SdkFake, ReportsTheVersionOfTheHeaders) {
  EXPECT_EQ(find_function<std::int32_t()>(FAKE_NVINFER, "getInferLibVersion")(), NV_TENSORRT_VERSION);
  EXPECT_EQ(find_function<int()>(FAKE_NVONNXPARSER, "getNvOnnxParserVersion")(), NV_ONNX_PARSER_VERSION);
}

TEST_F(SdkFake, BuildsLoadsAndRuns) {
  load_add_relu();
  ASSERT_EQ(engine_->getNbIOTensors(), 2);
  EXPECT_STREQ(engine_->getIOTensorName(0), "x");
  EXPECT_STREQ(engine_->getIOTensorName(1), "y");
  EXPECT_EQ(engine_->getTensorIOMode("x"), nvinfer1::TensorIOMode::kINPUT);
  EXPECT_EQ(engine_->getTensorIOMode("y"), nvinfer1::TensorIOMode::kOUTPUT);
  EXPECT_EQ(engine_->getTensorDataType("y"), DataType::kFLOAT);
  EXPECT_THAT(sizes(engine_->getTensorShape("x")), ElementsAre(-1, 2));
  EXPECT_EQ(engine_->getNbOptimizationProfiles(), 1);
  EXPECT_THAT(sizes(engine_->getProfileShape("x", 0, nvinfer1::OptProfileSelector::kMAX)), ElementsAre(4, 2));
  const char* missing = nullptr;
  EXPECT_EQ(context_->inferShapes(1, &missing), 1);
  EXPECT_STREQ(missing, "x");
  EXPECT_FALSE(context_->allInputDimensionsSpecified());
  ASSERT_TRUE(context_->setInputShape("x", {2, {3, 2}}));
  EXPECT_EQ(context_->inferShapes(0, nullptr), 0);
  EXPECT_THAT(sizes(context_->getTensorShape("y")), ElementsAre(3, 2));
  const std::vector<float> x = {1, 2, 3, -4, -5, 6};
  std::vector<float> y(6);
  EXPECT_TRUE(context_->setInputTensorAddress("x", x.data()));
  EXPECT_TRUE(context_->setTensorAddress("y", y.data()));
  EXPECT_TRUE(context_->enqueueV3(nullptr)) << log_.errors;
  EXPECT_THAT(y, ElementsAre(2, 0, 4, 0, 0, 4));
  const std::unique_ptr<nvinfer1::IHostMemory> again(engine_->serialize());
  EXPECT_TRUE(load({static_cast<const char*>(again->data()), again->size()}));
}

TEST_F(SdkFake, CopiesEveryType) {
  start();
  ASSERT_TRUE(parse(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float16[2] a, int64[1] b, bool[0] c) => (float16[2] d, int64[1] e, bool[0] f) {
      d = Identity(a)
      e = Identity(b)
      f = Identity(c)
    })"))
      << log_.errors;
  ASSERT_TRUE(load(build())) << log_.errors;  // needs no profile
  EXPECT_EQ(engine_->getTensorDataType("a"), DataType::kHALF);
  EXPECT_TRUE(context_->allInputDimensionsSpecified());
  std::vector<std::uint16_t> a = {0x3C00, 0x7E01};
  std::vector<std::uint16_t> d(2);
  std::vector<std::int64_t> b = {1LL << 40};
  std::vector<std::int64_t> e(1);
  char empty = 0;
  for (const auto& [name, data] : std::map<const char*, void*>{
           {"a", a.data()}, {"b", b.data()}, {"c", &empty}, {"d", d.data()}, {"e", e.data()}, {"f", &empty}}) {
    EXPECT_TRUE(context_->setTensorAddress(name, data));
  }
  EXPECT_TRUE(context_->enqueueV3(nullptr)) << log_.errors;
  EXPECT_EQ(a, d);
  EXPECT_EQ(b, e);
}

#if NV_TENSORRT_MAJOR < 11
TEST_F(SdkFake, ConvertsAtTheBorderIfATypeWasSet) {
  start();
  ASSERT_TRUE(parse("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }"));
  network_->getInput(0)->setType(DataType::kHALF);
  network_->getOutput(0)->setType(DataType::kINT32);
  ASSERT_TRUE(load(build())) << log_.errors;
  EXPECT_EQ(engine_->getTensorDataType("x"), DataType::kHALF);
  std::vector<std::uint16_t> x = {0x4200, 0xC200};  // 3, -3
  std::vector<std::int32_t> y(2, -1);
  EXPECT_TRUE(context_->setTensorAddress("x", x.data()));
  EXPECT_TRUE(context_->setTensorAddress("y", y.data()));
  EXPECT_TRUE(context_->enqueueV3(nullptr)) << log_.errors;
  EXPECT_THAT(y, ElementsAre(3, 0));
}
#endif

class Allocator final : public nvinfer1::IOutputAllocator {
 public:
  void* reallocateOutputAsync(char const*, void*, std::uint64_t size, std::uint64_t, cudaStream_t) override {
    memory.resize(size);
    return memory.data();
  }
  void notifyShape(char const*, Dims const& dims) noexcept override { shape = sizes(dims); }
  std::vector<std::byte> memory;
  std::vector<std::int64_t> shape;
};

TEST_F(SdkFake, AllocatesOutputsWhoseShapeDependsOnData) {
  start();
  ASSERT_TRUE(
      parse("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2, 2] x) => (int64[2, N] y) { y = NonZero(x) }"));
  ASSERT_TRUE(load(build())) << log_.errors;
  EXPECT_THAT(sizes(context_->getTensorShape("y")), ElementsAre(2, -1));
  const std::vector<float> x = {0, 1, 2, 0};
  EXPECT_TRUE(context_->setInputTensorAddress("x", x.data()));
  EXPECT_FALSE(context_->enqueueV3(nullptr));
  EXPECT_THAT(log_.errors, HasSubstr("output y has a shape that depends on data, but no allocator"));
  Allocator allocator;
  EXPECT_TRUE(context_->setOutputAllocator("y", &allocator));
  EXPECT_TRUE(context_->enqueueV3(nullptr)) << log_.errors;
  EXPECT_THAT(allocator.shape, ElementsAre(2, 2));
  const auto* y = reinterpret_cast<const std::int64_t*>(allocator.memory.data());
  EXPECT_THAT(std::vector<std::int64_t>(y, y + 4), ElementsAre(0, 1, 1, 0));
}

TEST_F(SdkFake, HasOneLayerForEachNode) {
  start();
  ASSERT_TRUE(parse(kAddRelu)) << log_.errors;
  std::vector<std::string> names;
  for (int i = 0; i < network_->getNbLayers(); ++i) names.emplace_back(network_->getLayer(i)->getName());
  EXPECT_THAT(names, ElementsAre("w", "add", "relu"));  // a constant is a layer, too
  nvinfer1::ILayer* add = network_->getLayer(1);
  EXPECT_EQ(add->getType(), nvinfer1::LayerType::kELEMENTWISE);
  EXPECT_STREQ(add->getMetadata(), "[ONNX Layer: add]");
  EXPECT_EQ(add->getNbInputs(), 2);
  EXPECT_TRUE(add->getInput(0)->isNetworkInput());
  EXPECT_STREQ(add->getOutput(0)->getName(), "sum");
  EXPECT_EQ(add->getOutput(1), nullptr);
  EXPECT_FALSE(add->getOutput(0)->isNetworkOutput());
  network_->markOutput(*add->getOutput(0));
  EXPECT_EQ(network_->getNbOutputs(), 2);
  network_->unmarkOutput(*network_->getOutput(0));
  EXPECT_STREQ(network_->getOutput(0)->getName(), "sum");
}

TEST_F(SdkFake, InspectsLayersIfBuiltInDetail) {
  start();
  ASSERT_TRUE(parse(kAddRelu));
  add_profile("x", {2, {1, 2}}, {2, {2, 2}}, {2, {4, 2}});
  const auto inspect = [&] {
    EXPECT_TRUE(load(build()));
    const std::unique_ptr<nvinfer1::IEngineInspector> inspector(engine_->createEngineInspector());
    return nlohmann::json::parse(inspector->getEngineInformation(nvinfer1::LayerInformationFormat::kJSON));
  };
  EXPECT_EQ(inspect().at("Layers"), nlohmann::json({"w", "add", "relu"}));
  config_->setProfilingVerbosity(nvinfer1::ProfilingVerbosity::kDETAILED);
  const nlohmann::json add = inspect().at("Layers").at(1);
  EXPECT_EQ(add.at("Name"), "add");
  EXPECT_EQ(add.at("LayerType"), "ELEMENTWISE");
  EXPECT_EQ(add.at("Metadata"), "[ONNX Layer: add]");
  EXPECT_EQ(add.at("Outputs").at(0).at("Name"), "sum");
}

TEST_F(SdkFake, RemembersSettingsInThePlan) {
  start();
  ASSERT_TRUE(parse(kAddRelu));
  add_profile("x", {2, {1, 2}}, {2, {2, 2}}, {2, {4, 2}});
  config_->setFlag(BuilderFlag::kSTRIP_PLAN);
  config_->clearFlag(BuilderFlag::kTF32);
  config_->setMemoryPoolLimit(nvinfer1::MemoryPoolType::kWORKSPACE, 1 << 20);
  config_->setBuilderOptimizationLevel(5);
  config_->setMaxAuxStreams(2);
  config_->setTacticSources(1U << static_cast<int>(nvinfer1::TacticSource::kJIT_CONVOLUTIONS));
#if NV_TENSORRT_MAJOR < 11
  config_->setPreviewFeature(nvinfer1::PreviewFeature::kPROFILE_SHARING_0806, true);
#endif
  config_->setHardwareCompatibilityLevel(nvinfer1::HardwareCompatibilityLevel::kAMPERE_PLUS);
  std::vector<std::string> flags = {"kSTRIP_PLAN"};
#if NV_TENSORRT_MAJOR < 11
  network_->getLayer(1)->setPrecision(DataType::kHALF);
  config_->setFlag(BuilderFlag::kFP16);
  flags.emplace_back("kFP16");
#endif
  network_->getInput(0)->setAllowedFormats(1U << static_cast<int>(nvinfer1::TensorFormat::kHWC));
  const std::string plan = build();
  const nlohmann::json row = nlohmann::json::parse(plan.substr(plan.find('\n')));
  const nlohmann::json& settings = row.at("settings");
  EXPECT_THAT(settings.at("flags").get<std::vector<std::string>>(), UnorderedElementsAreArray(flags));
  EXPECT_EQ(settings.at("memory_pools").at("kWORKSPACE"), 1 << 20);
  EXPECT_EQ(settings.at("optimization_level"), 5);
  EXPECT_EQ(settings.at("max_aux_streams"), 2);
  EXPECT_EQ(settings.at("tactic_sources"), nlohmann::json({"kJIT_CONVOLUTIONS"}));
#if NV_TENSORRT_MAJOR < 11
  EXPECT_EQ(settings.at("preview_features").at("kPROFILE_SHARING_0806"), true);
#endif
  EXPECT_EQ(settings.at("hardware_compatibility_level"), "kAMPERE_PLUS");
#if NV_TENSORRT_MAJOR < 11
  EXPECT_EQ(row.at("graph").at("layers").at(1).at("precision"), "kHALF");
#endif
  EXPECT_EQ(row.at("graph").at("tensors").at(0).at("formats"), 1U << 8);
  EXPECT_EQ(row.at("profiles").at(0).at("shapes").at("x").at(1), nlohmann::json({2, 2}));
}

TEST_F(SdkFake, FillsTheTimingCache) {
  start();
  ASSERT_TRUE(parse("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }"));
  const std::unique_ptr<nvinfer1::ITimingCache> cache(config_->createTimingCache(nullptr, 0));
  ASSERT_NE(cache, nullptr);
  EXPECT_TRUE(config_->setTimingCache(*cache, false));
  config_->setFlag(BuilderFlag::kERROR_ON_TIMING_CACHE_MISS);
  EXPECT_EQ(build(), "");
  config_->clearFlag(BuilderFlag::kERROR_ON_TIMING_CACHE_MISS);
  EXPECT_NE(build(), "");
  EXPECT_EQ(config_->getTimingCache(), cache.get());
  const std::unique_ptr<nvinfer1::IHostMemory> bytes(cache->serialize());
  const std::unique_ptr<nvinfer1::ITimingCache> copy(config_->createTimingCache(bytes->data(), bytes->size()));
  ASSERT_NE(copy, nullptr);
  const std::unique_ptr<nvinfer1::ITimingCache> combined(config_->createTimingCache("", 0));
  EXPECT_TRUE(combined->combine(*copy, false));
  config_->setTimingCache(*combined, false);
  config_->setFlag(BuilderFlag::kERROR_ON_TIMING_CACHE_MISS);
  EXPECT_NE(build(), "") << log_.errors;
  EXPECT_EQ(config_->createTimingCache("damaged", 7), nullptr);
  end_build();  // the caches outlive the builder
}

TEST_F(SdkFake, EndsTheProcessIfATimingCacheDiesBeforeItsBuilder) {
  start();
  ASSERT_TRUE(parse("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }"));
  std::unique_ptr<nvinfer1::ITimingCache> cache(config_->createTimingCache(nullptr, 0));
  EXPECT_TRUE(config_->setTimingCache(*cache, false));
  EXPECT_DEATH(cache.reset(), "a timing cache must outlive the builders that use it");
  end_build();
}

TEST_F(SdkFake, EndsTheProcessIfAnObjectDiesBeforeWhatItHasCreated) {
  load_add_relu();
  EXPECT_DEATH((builder_.reset(), config_.reset()), "a configuration must be destroyed before its builder");
  EXPECT_DEATH(engine_.reset(), "an engine must outlive its contexts");
  context_.reset();
  EXPECT_DEATH(runtime_.reset(), "a runtime must outlive its engines");
}

#if NV_TENSORRT_MAJOR < 11
TEST_F(SdkFake, RefusesPrecisionsOfLayersThatComputeNoFloats) {
  start();
  ASSERT_TRUE(parse("<ir_version: 8, opset_import: [\"\" : 17]> g (int64[2] x) => (int64[2] y) { y = Add(x, x) }"));
  network_->getLayer(0)->setPrecision(nvinfer1::DataType::kFLOAT);
  EXPECT_EQ(build(), "");
  EXPECT_THAT(log_.errors, testing::HasSubstr("it computes no floats"));
}
#endif

TEST_F(SdkFake, NeedsDeviceMemoryIfTheCallerManagesIt) {
  load_add_relu();
  context_.reset(engine_->createExecutionContext(nvinfer1::ExecutionContextAllocationStrategy::kUSER_MANAGED));
  EXPECT_EQ(context_->updateDeviceMemorySizeForShapes(), 0U);  // no shapes yet
  std::vector<float> x = {1, 2};
  EXPECT_TRUE(context_->setInputShape("x", {2, {1, 2}}));
  EXPECT_TRUE(context_->setTensorAddress("x", x.data()));
  EXPECT_TRUE(context_->setTensorAddress("y", x.data()));
  EXPECT_FALSE(context_->enqueueV3(nullptr));
  EXPECT_THAT(log_.errors, HasSubstr("the device memory isn't set"));
  std::vector<std::byte> memory(context_->updateDeviceMemorySizeForShapes());
  EXPECT_EQ(memory.size(), 16U);  // w and sum
  context_->setDeviceMemory(memory.data());
  EXPECT_TRUE(context_->enqueueV3(nullptr)) << log_.errors;
}

TEST_F(SdkFake, LoadsOtherRuntimesAndPluginLibraries) {
  load_add_relu();
  const std::unique_ptr<nvinfer1::IRuntime> lean(runtime_->loadRuntime(FAKE_NVINFER));
  ASSERT_NE(lean, nullptr);
  EXPECT_EQ(runtime_->loadRuntime("/no/such/library"), nullptr);
  nvinfer1::IPluginRegistry& plugins = builder_->getPluginRegistry();
  EXPECT_NE(plugins.loadLibrary(FAKE_PLUGIN), nullptr);
  EXPECT_EQ(plugins.loadLibrary(FAKE_PLUGIN), nullptr) << "its plug-ins are registered already";
  EXPECT_EQ(plugins.loadLibrary(FAKE_NVONNXPARSER), nullptr) << "it has no plug-ins";
  EXPECT_EQ(plugins.loadLibrary("/no/such/plugins.so"), nullptr);
  EXPECT_THAT(log_.errors, HasSubstr("/no/such/plugins.so"));
}

#if NV_TENSORRT_MAJOR < 11
class Calibrator final : public nvinfer1::IInt8EntropyCalibrator2 {
 public:
  std::int32_t getBatchSize() const noexcept override { return 1; }
  bool getBatch(void* bindings[], char const* names[], std::int32_t count) noexcept override {
    inputs.assign(names, names + count);
    bindings[0] = data.data();
    return ++batches <= 3;
  }
  void const* readCalibrationCache(std::size_t&) noexcept override { return nullptr; }
  void writeCalibrationCache(void const* bytes, std::size_t size) noexcept override {
    cache.assign(static_cast<const char*>(bytes), size);
  }
  int batches = 0;
  std::vector<std::string> inputs;
  std::string cache;
  std::vector<float> data = std::vector<float>(2);
};

TEST_F(SdkFake, CalibratesWithAllBatches) {
  start();
  ASSERT_TRUE(parse("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }"));
  Calibrator calibrator;
  config_->setFlag(BuilderFlag::kINT8);
  config_->setInt8Calibrator(&calibrator);
  EXPECT_NE(build(), "") << log_.errors;
  EXPECT_THAT(calibrator.inputs, ElementsAre("x"));
  EXPECT_EQ(calibrator.cache, "fake calibration of 3 batches\nx: 0.000000 to 0.000000\n");
}
#endif

class Listener final : public nvinfer1::IDebugListener {
 public:
  bool processDebugTensor(void const* address, nvinfer1::TensorLocation, DataType, Dims const& shape, char const* name,
                          cudaStream_t) override {
    seen[name] = sizes(shape);
    first = *static_cast<const float*>(address);
    return true;
  }
  std::map<std::string, std::vector<std::int64_t>> seen;
  float first = 0;
};

TEST_F(SdkFake, ShowsDebugTensors) {
  start();
  ASSERT_TRUE(parse(kAddRelu));
  add_profile("x", {2, {1, 2}}, {2, {2, 2}}, {2, {4, 2}});
  EXPECT_TRUE(network_->markDebug(*network_->getLayer(1)->getOutput(0)));
  ASSERT_TRUE(load(build()));
  EXPECT_TRUE(engine_->isDebugTensor("sum"));
  Listener listener;
  EXPECT_TRUE(context_->setDebugListener(&listener));
  EXPECT_TRUE(context_->setTensorDebugState("sum", true));
  EXPECT_FALSE(context_->setTensorDebugState("y", true));
  std::vector<float> x = {-3, 0};
  std::vector<float> y(2);
  EXPECT_TRUE(context_->setInputShape("x", {2, {1, 2}}));
  EXPECT_TRUE(context_->setTensorAddress("x", x.data()));
  EXPECT_TRUE(context_->setTensorAddress("y", y.data()));
  EXPECT_TRUE(context_->enqueueV3(nullptr)) << log_.errors;
  EXPECT_THAT(listener.seen, ElementsAre(testing::Pair("sum", ElementsAre(1, 2))));
  EXPECT_EQ(listener.first, -2);
}

TEST_F(SdkFake, StreamsWeightsIfBuiltToDoSo) {
#if NV_TENSORRT_MAJOR < 11
  constexpr auto kStronglyTyped = 1U << static_cast<int>(nvinfer1::NetworkDefinitionCreationFlag::kSTRONGLY_TYPED);
  constexpr auto kSetBudget = &nvinfer1::ICudaEngine::setWeightStreamingBudget;
  constexpr auto kBudget = &nvinfer1::ICudaEngine::getWeightStreamingBudget;
#else
  constexpr auto kStronglyTyped = 0U;  // all networks are
  constexpr auto kSetBudget = &nvinfer1::ICudaEngine::setWeightStreamingBudgetV2;
  constexpr auto kBudget = &nvinfer1::ICudaEngine::getWeightStreamingBudgetV2;
#endif
  load_add_relu(kStronglyTyped);
  EXPECT_EQ(engine_->getStreamableWeightsSize(), 0);
  EXPECT_FALSE((engine_.get()->*kSetBudget)(4));
  config_->setFlag(BuilderFlag::kWEIGHT_STREAMING);
  ASSERT_TRUE(load(build()));
  EXPECT_EQ(engine_->getStreamableWeightsSize(), 8);
  EXPECT_FALSE((engine_.get()->*kSetBudget)(4)) << "there is a context";
  context_.reset();
  EXPECT_TRUE((engine_.get()->*kSetBudget)(4));
  EXPECT_EQ((engine_.get()->*kBudget)(), 4);
}

}  // namespace
}  // namespace fake_tensorrt

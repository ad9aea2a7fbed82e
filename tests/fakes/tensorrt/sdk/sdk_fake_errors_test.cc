// How the fake TensorRT fails, by itself and on demand.
#include <csignal>
#include <cstdlib>
#include <iostream>

#include "tests/fakes/tensorrt/sdk/sdk_fake_support.h"

namespace fake_tensorrt {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST_F(SdkFake, NamesAllNodesThatItDoesNotSupport) {
  start();
  EXPECT_FALSE(parse(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) {
      [known] a = Relu(x)
      [odd] b = Sin(a)
      y = Cos(b)
    })"));
  ASSERT_EQ(parser_->getNbErrors(), 2);
  const nvonnxparser::IParserError* error = parser_->getError(0);
  EXPECT_EQ(error->code(), nvonnxparser::ErrorCode::kUNSUPPORTED_NODE);
  EXPECT_EQ(error->node(), 1);
  EXPECT_STREQ(error->nodeName(), "odd");
  EXPECT_STREQ(error->nodeOperator(), "Sin");
  EXPECT_STREQ(error->desc(), "no importer registered for op: Sin");
  EXPECT_STREQ(parser_->getError(1)->nodeName(), "");
  EXPECT_EQ(parser_->getError(2), nullptr);
  EXPECT_THAT(log_.errors, HasSubstr("node 1 (odd, Sin): [8] no importer registered"));
  parser_->clearErrors();
  EXPECT_EQ(parser_->getNbErrors(), 0);
}

TEST_F(SdkFake, RefusesWhatIsNotAModel) {
  start();
  EXPECT_FALSE(parser_->parse("\xFFgarbage", 8, nullptr));
  EXPECT_FALSE(parser_->parseFromFile("/no/such/model.onnx", 0));
  ASSERT_EQ(parser_->getNbErrors(), 2);
  EXPECT_EQ(parser_->getError(0)->code(), nvonnxparser::ErrorCode::kMODEL_DESERIALIZE_FAILED);
  EXPECT_EQ(parser_->getError(0)->node(), -1);
}

TEST_F(SdkFake, NeedsAProfileForDynamicInputs) {
  start();
  ASSERT_TRUE(parse(kAddRelu));
  EXPECT_EQ(build(), "");
  EXPECT_THAT(log_.errors, HasSubstr("dynamic or shape inputs or outputs, but no optimization profile"));
  nvinfer1::IOptimizationProfile* profile = builder_->createOptimizationProfile();
  EXPECT_TRUE(profile->setDimensions("x", nvinfer1::OptProfileSelector::kMIN, {2, {2, 2}}));
  EXPECT_FALSE(profile->setDimensions("x", nvinfer1::OptProfileSelector::kMAX, {1, {2}}));
  EXPECT_EQ(config_->addOptimizationProfile(profile), -1);  // incomplete
  add_profile("z", {2, {1, 2}}, {2, {1, 2}}, {2, {1, 2}});
  EXPECT_EQ(build(), "");
  EXPECT_THAT(log_.errors, HasSubstr("no dimensions for the dynamic input x in profile 0"));
}

TEST_F(SdkFake, RefusesProfilesThatDoNotFit) {
  start();
  ASSERT_TRUE(parse(kAddRelu));
  add_profile("x", {2, {1, 3}}, {2, {1, 3}}, {2, {1, 3}});
  EXPECT_EQ(build(), "");
  EXPECT_THAT(log_.errors, HasSubstr("[1,3] doesn't fit the dimensions [-1,2] of x in profile 0"));
}

TEST_F(SdkFake, RefusesShapesOutsideOfTheProfile) {
  start();
  ASSERT_TRUE(parse(kAddRelu));
  add_profile("x", {2, {1, 2}}, {2, {2, 2}}, {2, {4, 2}});
  add_profile("x", {2, {8, 2}}, {2, {8, 2}}, {2, {8, 2}});
  ASSERT_TRUE(load(build()));
  EXPECT_FALSE(context_->setInputShape("x", {2, {8, 2}}));
  EXPECT_THAT(log_.errors, HasSubstr("[8,2] of x is outside of profile 0, which has [1,2] to [4,2]"));
  EXPECT_FALSE(context_->setOptimizationProfileAsync(2, nullptr));
  EXPECT_TRUE(context_->setOptimizationProfileAsync(1, nullptr));
  EXPECT_TRUE(context_->setInputShape("x", {2, {8, 2}}));
  EXPECT_FALSE(context_->setInputShape("x", {1, {8}}));
  EXPECT_FALSE(context_->setInputShape("y", {2, {8, 2}}));
}

TEST_F(SdkFake, RefusesToRunWithoutShapesAndAddresses) {
  load_add_relu();
  EXPECT_FALSE(context_->enqueueV3(nullptr));
  EXPECT_THAT(log_.errors, HasSubstr("the shape of input x isn't set"));
  EXPECT_TRUE(context_->setInputShape("x", {2, {1, 2}}));
  EXPECT_FALSE(context_->enqueueV3(nullptr));
  EXPECT_THAT(log_.errors, HasSubstr("the address of input x isn't set"));
  EXPECT_FALSE(context_->setTensorAddress("nonsense", this));
}

#if NV_TENSORRT_MAJOR < 11
TEST_F(SdkFake, RefusesPrecisionFlagsForStronglyTypedNetworks) {
  start(1U << static_cast<int>(nvinfer1::NetworkDefinitionCreationFlag::kSTRONGLY_TYPED));
  ASSERT_TRUE(parse("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }"));
  EXPECT_NE(build(), "");
  config_->setFlag(nvinfer1::BuilderFlag::kFP16);
  EXPECT_EQ(build(), "");
  EXPECT_THAT(log_.errors, HasSubstr("kFP16 can't be set for a strongly typed network"));
}
#endif

TEST_F(SdkFake, RefusesPlansThatItDidNotWrite) {
  load_add_relu();
  EXPECT_FALSE(load("damaged"));
  EXPECT_FALSE(load("fake TensorRT 99.0 plan\n{}"));
  EXPECT_THAT(log_.errors, HasSubstr("was built by another version"));
}

TEST_F(SdkFake, FailsToStartOnDemand) {
  const Misbehaviour word("null_builder");
  EXPECT_EQ(create_builder(), nullptr);
  EXPECT_THAT(log_.errors, HasSubstr("(CUDA initialization failure with error: 35. Please check"));
}

TEST_F(SdkFake, FailsToBuildOnDemand) {
  start();
  ASSERT_TRUE(parse("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x) => (float[2] y) { y = Relu(x) }"));
  for (const auto& [word, error] : {std::pair{"fail_build", "Could not find any implementation"},
                                    std::pair{"no_memory", "OutOfMemory (Requested size was 1099511627776 bytes.)"}}) {
    const Misbehaviour misbehaviour(word);
    log_.errors.clear();
    EXPECT_EQ(build(), "") << word;
    EXPECT_THAT(log_.errors, HasSubstr(error));
  }
  EXPECT_NE(build(), "");
}

TEST_F(SdkFake, FailsToLoadOrRunOnDemand) {
  load_add_relu();
  std::vector<float> memory(2);
  EXPECT_TRUE(context_->setInputShape("x", {2, {1, 2}}));
  EXPECT_TRUE(context_->setTensorAddress("x", memory.data()));
  EXPECT_TRUE(context_->setTensorAddress("y", memory.data()));
  {
    const Misbehaviour word("fail_run");
    EXPECT_FALSE(context_->enqueueV3(nullptr));
    EXPECT_THAT(log_.errors, HasSubstr("illegal memory access"));
  }
  EXPECT_TRUE(context_->enqueueV3(nullptr));
  const std::string plan = build();
  const Misbehaviour word("fail_plan");
  EXPECT_FALSE(load(plan));
  EXPECT_THAT(log_.errors, HasSubstr("Error Code 1: Serialization"));
}

TEST_F(SdkFake, TellsNoBytesPerComponentOfTensorsWithoutVectors) {
  load_add_relu();
  EXPECT_EQ(engine_->getTensorBytesPerComponent("x"), -1);
}

class HostAllocator final : public nvinfer1::IOutputAllocator {
 public:
  void* reallocateOutputAsync(char const*, void*, std::uint64_t size, std::uint64_t, cudaStream_t) override {
    memory.resize(size);
    return memory.data();
  }
  void notifyShape(char const*, nvinfer1::Dims const&) noexcept override {}
  std::vector<std::byte> memory;
};

// In a process of its own, because the other tests have no driver and run in any memory.
TEST_F(SdkFake, RefusesMemoryThatIsNotOnTheGpu) {
  load_add_relu();
  const auto run = [&] {
    constexpr const char* kDriver = "libcuda.so.1";
    find_function<int(unsigned)>(kDriver, "cuInit")(0);
    void* device = nullptr;
    find_function<int(void**, int)>(kDriver, "cuDevicePrimaryCtxRetain")(&device, 0);
    find_function<int(void*)>(kDriver, "cuCtxSetCurrent")(device);
    std::uint64_t x = 0;
    find_function<int(std::uint64_t*, std::size_t)>(kDriver, "cuMemAlloc_v2")(&x, 8);
    HostAllocator allocator;
    const bool is_ready = context_->setInputShape("x", {2, {1, 2}}) &&
                          context_->setTensorAddress("x", reinterpret_cast<void*>(x)) &&
                          context_->setOutputAllocator("y", &allocator);
    const bool ran = is_ready && context_->enqueueV3(nullptr);
    std::cerr << log_.errors;
    std::exit(!is_ready ? 3 : ran ? 2 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(1), "the address of y isn't ");
}

TEST_F(SdkFake, CrashesOnDemand) {
  load_add_relu();
  EXPECT_EXIT(
      {
        const Misbehaviour word("crash_builder");
        create_builder();
      },
      testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(
      {
        const Misbehaviour word("crash_run");
        context_->enqueueV3(nullptr);
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(SdkFake, ReportsWhatItDoesNotHave) {
  start();
  EXPECT_DEATH(builder_->reset(), "the fake TensorRT has no VBuilder::reset");
  EXPECT_DEATH(network_->addSoftMax(*network_->addInput("x", nvinfer1::DataType::kFLOAT, {1, {2}})),
               "the fake TensorRT has no VNetworkDefinition::addSoftMax");
}

}  // namespace
}  // namespace fake_tensorrt

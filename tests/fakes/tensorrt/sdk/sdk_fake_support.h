// What the tests of the fake TensorRT share: they open it with dlopen, as the worker does, and build and run small
// models.
#pragma once

#include <NvInfer.h>
#include <NvOnnxParser.h>
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/load.h"

namespace fake_tensorrt {

// A model with the dynamic input x, the constant w, and y = Relu(x + w).
constexpr const char* kAddRelu = R"(<ir_version: 8, opset_import: ["" : 17]>
  add_relu (float[N, 2] x) => (float[N, 2] y) <float[2] w = {1, -2}> {
    [add] sum = Add(x, w)
    [relu] y = Relu(sum)
  })";

class Log final : public nvinfer1::ILogger {
 public:
  void log(Severity severity, char const* message) noexcept override {
    if (severity <= Severity::kERROR) errors += std::string(message) + "\n";
  }
  std::string errors;
};

// Loads a function of a library of the fake. Ends the test program if it is missing.
template <class Function>
Function* find_function(const char* library, const char* name) {
  void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void* function = handle == nullptr ? nullptr : dlsym(handle, name);
  if (function == nullptr) ADD_FAILURE() << dlerror();
  if (function == nullptr) std::abort();
  return reinterpret_cast<Function*>(function);
}

// Sets ASSAY_FAKE_TENSORRT for one scope.
class Misbehaviour {
 public:
  explicit Misbehaviour(const char* word) { setenv("ASSAY_FAKE_TENSORRT", word, 1); }
  ~Misbehaviour() { unsetenv("ASSAY_FAKE_TENSORRT"); }
  Misbehaviour(const Misbehaviour&) = delete;
  Misbehaviour& operator=(const Misbehaviour&) = delete;
};

class SdkFake : public testing::Test {
 protected:
  using Create = void*(void*, std::int32_t);
  using CreateParser = void*(void*, void*, int);

  nvinfer1::IBuilder* create_builder() {
    auto* create = find_function<Create>(FAKE_NVINFER, "createInferBuilder_INTERNAL");
    return static_cast<nvinfer1::IBuilder*>(create(&log_, NV_TENSORRT_VERSION));
  }
  // Destroys what the builder has created, and the builder.
  void end_build() {
    parser_.reset();
    network_.reset();
    config_.reset();
    builder_.reset();
  }
  // Starts with an empty network and a configuration.
  void start(nvinfer1::NetworkDefinitionCreationFlags flags = 0) {
    end_build();
    builder_.reset(create_builder());
    ASSERT_NE(builder_, nullptr);
    network_.reset(builder_->createNetworkV2(flags));
    config_.reset(builder_->createBuilderConfig());
    auto* create = find_function<CreateParser>(FAKE_NVONNXPARSER, "createNvOnnxParser_INTERNAL");
    parser_.reset(static_cast<nvonnxparser::IParser*>(create(network_.get(), &log_, NV_ONNX_PARSER_VERSION)));
  }
  // Parses a model in ONNX's text format.
  bool parse(const char* text) {
    const std::string bytes = assay::model::parse_text(text).value().proto.SerializeAsString();
    return parser_->parse(bytes.data(), bytes.size(), nullptr);
  }
  void add_profile(const char* input, nvinfer1::Dims least, nvinfer1::Dims best, nvinfer1::Dims most) {
    nvinfer1::IOptimizationProfile* profile = builder_->createOptimizationProfile();
    EXPECT_TRUE(profile->setDimensions(input, nvinfer1::OptProfileSelector::kMIN, least));
    EXPECT_TRUE(profile->setDimensions(input, nvinfer1::OptProfileSelector::kOPT, best));
    EXPECT_TRUE(profile->setDimensions(input, nvinfer1::OptProfileSelector::kMAX, most));
    const int count = config_->getNbOptimizationProfiles();
    EXPECT_EQ(config_->addOptimizationProfile(profile), count);
  }
  // Returns the plan, which is empty if the build fails.
  std::string build() {
    const std::unique_ptr<nvinfer1::IHostMemory> plan(builder_->buildSerializedNetwork(*network_, *config_));
    return plan == nullptr ? "" : std::string(static_cast<const char*>(plan->data()), plan->size());
  }
  // Sets engine_ and context_. Returns false if the plan is refused.
  bool load(const std::string& plan) {
    context_.reset();
    engine_.reset();
    auto* create = find_function<Create>(FAKE_NVINFER, "createInferRuntime_INTERNAL");
    runtime_.reset(static_cast<nvinfer1::IRuntime*>(create(&log_, NV_TENSORRT_VERSION)));
    engine_.reset(runtime_->deserializeCudaEngine(plan.data(), plan.size()));
    if (engine_ != nullptr) context_.reset(engine_->createExecutionContext());
    return context_ != nullptr;
  }
  // Builds kAddRelu for 1 to 4 rows, and loads it.
  void load_add_relu(nvinfer1::NetworkDefinitionCreationFlags flags = 0) {
    start(flags);
    ASSERT_TRUE(parse(kAddRelu)) << log_.errors;
    add_profile("x", {2, {1, 2}}, {2, {2, 2}}, {2, {4, 2}});
    ASSERT_TRUE(load(build())) << log_.errors;
  }

  Log log_;
  std::unique_ptr<nvinfer1::IBuilder> builder_;
  std::unique_ptr<nvinfer1::INetworkDefinition> network_;
  std::unique_ptr<nvinfer1::IBuilderConfig> config_;
  std::unique_ptr<nvonnxparser::IParser> parser_;
  std::unique_ptr<nvinfer1::IRuntime> runtime_;
  std::unique_ptr<nvinfer1::ICudaEngine> engine_;
  std::unique_ptr<nvinfer1::IExecutionContext> context_;
};

inline std::vector<std::int64_t> sizes(const nvinfer1::Dims& dims) {
  return {dims.d, dims.d + std::max(0, dims.nbDims)};
}

}  // namespace fake_tensorrt

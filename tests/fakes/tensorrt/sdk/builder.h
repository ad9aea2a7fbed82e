// The builder. Building checks the network and its profiles as TensorRT does, and writes a plan.
#pragma once

#include <deque>
#include <memory>

#include "config.h"
#include "handle.h"
#include "infer_stubs.h"
#include "misbehave.h"
#include "network.h"
#include "plugin_registry.h"
#include "profile.h"

namespace fake_tensorrt {

class Builder final : public nvinfer1::apiv::stubs::VBuilder {
 public:
  explicit Builder(nvinfer1::ILogger& logger) : logger_(logger), plugins_(&logger) {}

#if NV_TENSORRT_MAJOR < 11
  bool platformHasFastFp16() const noexcept override { return true; }
  bool platformHasFastInt8() const noexcept override { return true; }
  bool platformHasTf32() const noexcept override { return true; }
#endif
  int32_t getNbDLACores() const noexcept override { return misbehaves("dla") ? 2 : 0; }
  nvinfer1::ILogger* getLogger() const noexcept override { return &logger_; }
  nvinfer1::IPluginRegistry& getPluginRegistry() noexcept override { return plugins_; }
  bool setMaxThreads(int32_t count) noexcept override { return count > 0; }
  nvinfer1::INetworkDefinition* createNetworkV2(nvinfer1::NetworkDefinitionCreationFlags flags) noexcept override;
  nvinfer1::IBuilderConfig* createBuilderConfig() noexcept override;
  nvinfer1::IOptimizationProfile* createOptimizationProfile() noexcept override;
  nvinfer1::IHostMemory* buildSerializedNetwork(nvinfer1::INetworkDefinition& network,
                                                nvinfer1::IBuilderConfig& config) noexcept override;

 private:
  nvinfer1::ILogger& logger_;
  PluginRegistry plugins_;
  std::deque<Handle<nvinfer1::IOptimizationProfile, Profile>> profiles_;
  std::shared_ptr<int> lifetime_ = std::make_shared<int>();
};

// Writes the plan, or returns what is wrong, in words like those of TensorRT.
struct Built {
  std::string plan;
  std::string error;  // empty if it was built
};
[[nodiscard]] Built build(Network& network, Config& config);

}  // namespace fake_tensorrt

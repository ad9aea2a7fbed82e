// The runtime, which reads plans.
#pragma once

#include <memory>

#include "infer_stubs.h"
#include "misbehave.h"
#include "plugin_registry.h"

namespace fake_tensorrt {

class Runtime final : public nvinfer1::apiv::stubs::VRuntime {
 public:
  explicit Runtime(nvinfer1::ILogger& logger) : logger_(logger), plugins_(&logger) {}
  ~Runtime() override {
    if (users_.use_count() > 1) break_rule("a runtime must outlive its engines");
  }
  using nvinfer1::apiv::stubs::VRuntime::deserializeCudaEngine;
  nvinfer1::ICudaEngine* deserializeCudaEngine(void const* blob, std::size_t size) noexcept override;
  nvinfer1::ILogger* getLogger() const noexcept override { return &logger_; }
  void setDLACore(int32_t core) noexcept override { dla_core_ = core; }
  int32_t getDLACore() const noexcept override { return dla_core_; }
  int32_t getNbDLACores() const noexcept override { return misbehaves("dla") ? 2 : 0; }
  void setEngineHostCodeAllowed(bool allowed) noexcept override { host_code_allowed_ = allowed; }
  bool getEngineHostCodeAllowed() const noexcept override { return host_code_allowed_; }
  nvinfer1::IPluginRegistry& getPluginRegistry() noexcept override { return plugins_; }
  // Returns the runtime of another library, such as a lean one.
  nvinfer1::IRuntime* loadRuntime(char const* path) noexcept override;
  bool setMaxThreads(int32_t count) noexcept override { return count > 0; }

 private:
  // Loads the plug-ins that an engine contains.
  void load_plugins(const std::string& settings);

  nvinfer1::ILogger& logger_;
  PluginRegistry plugins_;
  std::shared_ptr<int> users_ = std::make_shared<int>();  // engines, and this runtime
  int32_t dla_core_ = -1;
  bool host_code_allowed_ = false;
};

}  // namespace fake_tensorrt

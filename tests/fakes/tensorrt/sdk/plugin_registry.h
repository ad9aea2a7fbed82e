// The plug-in registry. It opens libraries, but the fake's parser knows no plug-ins.
#pragma once

#include "registry_stubs.h"

namespace fake_tensorrt {

class PluginRegistry final : public nvinfer1::stubs::IPluginRegistry {
 public:
  explicit PluginRegistry(nvinfer1::ILogger* logger) : logger_(logger) {}
  ~PluginRegistry() noexcept override = default;
  // Returns null, and logs an error, if the file isn't a library.
  PluginLibraryHandle loadLibrary(nvinfer1::AsciiChar const* path) noexcept override;
  void deregisterLibrary(PluginLibraryHandle handle) noexcept override;

 private:
  nvinfer1::ILogger* logger_;
};

}  // namespace fake_tensorrt

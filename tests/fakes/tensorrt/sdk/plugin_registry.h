// The plug-in registry. Those of builders and runtimes also search the one of the process, as TensorRT's do. The fake's
// parser imports the operator FakePlugin if a plug-in of this name is registered.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "registry_stubs.h"

namespace fake_tensorrt {

class PluginRegistry final : public nvinfer1::stubs::IPluginRegistry {
 public:
  explicit PluginRegistry(nvinfer1::ILogger* logger) : logger_(logger) {}
  ~PluginRegistry() noexcept override = default;
  // The registry of the process.
  [[nodiscard]] static PluginRegistry& global();
  [[nodiscard]] bool has_plugin(std::string_view name) const;

  // Returns null, and logs an error, if the file isn't a library that exports getCreators(), or if its plug-ins are
  // registered already.
  PluginLibraryHandle loadLibrary(nvinfer1::AsciiChar const* path) noexcept override;
  void deregisterLibrary(PluginLibraryHandle handle) noexcept override;
  // Keeps the first of two plug-ins of the same name. Those of the fake are all of one class.
  bool registerCreator(nvinfer1::IPluginCreatorInterface& creator, nvinfer1::AsciiChar const* space) noexcept override;
  nvinfer1::IPluginCreatorInterface* const* getAllCreators(int32_t* count) const noexcept override;

 private:
  PluginLibraryHandle fail(const std::string& error) const;
  nvinfer1::ILogger* logger_;
  std::vector<nvinfer1::IPluginCreatorInterface*> creators_;
};

}  // namespace fake_tensorrt

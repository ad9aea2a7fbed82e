#include "plugin_registry.h"

#include <dlfcn.h>

#include "misbehave.h"

namespace fake_tensorrt {

nvinfer1::IPluginRegistry::PluginLibraryHandle PluginRegistry::loadLibrary(nvinfer1::AsciiChar const* path) noexcept {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr && logger_ != nullptr) {
    log_error(*logger_, std::string("IPluginRegistry::loadLibrary: Error Code 3: API Usage Error (") + dlerror() + ")");
  }
  return library;
}

void PluginRegistry::deregisterLibrary(PluginLibraryHandle handle) noexcept {
  dlclose(handle);
}

}  // namespace fake_tensorrt

#include "runtime.h"

#include <dlfcn.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine.h"
#include "misbehave.h"

namespace fake_tensorrt {

// The real plan contains the libraries, not their paths.
void Runtime::load_plugins(const std::string& settings) {
  const auto parsed = nlohmann::json::parse(settings);
  if (!host_code_allowed_ || !parsed.contains("plugins")) return;
  for (const std::string path : parsed.at("plugins")) {
    if (std::filesystem::exists(path)) plugins_.loadLibrary(path.c_str());
  }
}

nvinfer1::ICudaEngine* Runtime::deserializeCudaEngine(void const* blob, std::size_t size) noexcept {
  auto plan = parse_plan({static_cast<const char*>(blob), size});
  if (misbehaves("fail_plan") || !plan) {
    log_error(
        logger_,
        "IRuntime::deserializeCudaEngine: Error Code 1: Serialization (the plan is damaged, or was built by another "
        "version of TensorRT)");
    return nullptr;
  }
  load_plugins(plan->settings);
  if (dla_core_ >= 0) log_info(logger_, "The fake TensorRT runs on core " + std::to_string(dla_core_) + " of the DLA.");
  for (const GraphLayer& layer : plan->graph.layers) {
    if (layer.op != "FakePlugin" || plugins_.has_plugin(layer.op)) continue;
    log_error(logger_,
              "IRuntime::deserializeCudaEngine: Error Code 1: Serialization (Serialization assertion creator "
              "failed.Cannot deserialize plugin since corresponding IPluginCreator not found in Plugin "
              "Registry: FakePlugin)");
    return nullptr;
  }
  auto* handle = new Handle<nvinfer1::ICudaEngine, Engine>(std::move(*plan), logger_, users_);
  handle->implementation.set_self(*handle);
  if (misbehaves("hide_runtime")) hide_library_of(handle);
  return handle;
}

nvinfer1::IRuntime* Runtime::loadRuntime(char const* path) noexcept {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  auto* create = library == nullptr ? nullptr : dlsym(library, "createInferRuntime_INTERNAL");
  if (create == nullptr) {
    log_error(logger_, std::string("IRuntime::loadRuntime: Error Code 3: API Usage Error (") + path +
                           " isn't a runtime of TensorRT)");
    return nullptr;
  }
  const auto create_runtime = reinterpret_cast<void* (*)(void*, int32_t)>(create);
  return static_cast<nvinfer1::IRuntime*>(create_runtime(&logger_, static_cast<int32_t>(NV_TENSORRT_VERSION)));
}

}  // namespace fake_tensorrt

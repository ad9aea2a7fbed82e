// The functions that libnvinfer.so.10 exports, as far as the fake has them.
#include <NvInfer.h>
#include <dlfcn.h>

#include <cstdint>
#include <string>

#include "builder.h"
#include "handle.h"
#include "misbehave.h"
#include "plugin_registry.h"
#include "refitter.h"
#include "runtime.h"

namespace {

// Returns whether the program was compiled with headers of the library's major version. Logs an error if not.
bool accepts(nvinfer1::ILogger* logger, int32_t version) {
  constexpr int32_t kMajor = 10000;
  if (logger != nullptr && version / kMajor == getInferLibVersion() / kMajor) return true;
  if (logger != nullptr) {
    fake_tensorrt::log_error(*logger, "Error Code 6: API Usage Error (the program was compiled for TensorRT version " +
                                          std::to_string(version) + ")");
  }
  return false;
}

void log_old_driver(nvinfer1::ILogger& logger, const std::string& function) {
  fake_tensorrt::log_error(logger, function +
                                       ": Error Code 6: API Usage Error (CUDA initialization failure with error: 35. "
                                       "Please check your CUDA installation)");
}

}  // namespace

int32_t getInferLibVersion() noexcept {
  return fake_tensorrt::is_lean() ? NV_TENSORRT_MAJOR * 10000 : static_cast<int32_t>(NV_TENSORRT_VERSION);
}
int32_t getInferLibMajorVersion() noexcept {
  return NV_TENSORRT_MAJOR;
}
int32_t getInferLibMinorVersion() noexcept {
  return NV_TENSORRT_MINOR;
}
int32_t getInferLibPatchVersion() noexcept {
  return NV_TENSORRT_PATCH;
}
int32_t getInferLibBuildVersion() noexcept {
  return NV_TENSORRT_BUILD;
}

void* createInferBuilder_INTERNAL(void* logger, int32_t version) noexcept {
  auto* log = static_cast<nvinfer1::ILogger*>(logger);
  if (!accepts(log, version)) return nullptr;
  if (fake_tensorrt::misbehaves("crash_builder")) fake_tensorrt::crash();
  if (fake_tensorrt::misbehaves("null_builder")) {
    log_old_driver(*log, "createInferBuilder");
    return nullptr;
  }
  constexpr const char* kKernels = "libnvinfer_builder_resource_fake.so";
  if (dlopen(kKernels, RTLD_NOW) == nullptr) {
    fake_tensorrt::log_error(
        *log,
        std::string("createInferBuilder: Error Code 6: API Usage Error (Unable to load library: ") + kKernels + ")");
    return nullptr;
  }
  // The caller casts the pointer to IBuilder*.
  return static_cast<nvinfer1::IBuilder*>(new fake_tensorrt::Handle<nvinfer1::IBuilder, fake_tensorrt::Builder>(*log));
}

void* createInferRuntime_INTERNAL(void* logger, int32_t version) noexcept {
  auto* log = static_cast<nvinfer1::ILogger*>(logger);
  if (!accepts(log, version)) return nullptr;
  if (fake_tensorrt::misbehaves("invalid_runtime")) {
    log_old_driver(*log, "createInferRuntime");
    constexpr std::uintptr_t kInvalid = 0x238;  // what TensorRT 10.15 returns
    return reinterpret_cast<void*>(kInvalid);   // NOLINT
  }
  return static_cast<nvinfer1::IRuntime*>(new fake_tensorrt::Handle<nvinfer1::IRuntime, fake_tensorrt::Runtime>(*log));
}

void* createInferRefitter_INTERNAL(void* engine, void* logger, int32_t version) noexcept {
  auto* log = static_cast<nvinfer1::ILogger*>(logger);
  if (engine == nullptr || !accepts(log, version)) return nullptr;
  if (!fake_tensorrt::is_of_this_library(engine))
    fake_tensorrt::break_rule("an engine of another library can't be refitted");
  auto& fake = fake_tensorrt::implementation_of<fake_tensorrt::Engine>(*static_cast<nvinfer1::ICudaEngine*>(engine));
  return static_cast<nvinfer1::IRefitter*>(
      new fake_tensorrt::Handle<nvinfer1::IRefitter, fake_tensorrt::Refitter>(fake, *log));
}
nvinfer1::IPluginRegistry* getPluginRegistry() noexcept {
  return &fake_tensorrt::PluginRegistry::global();
}
nvinfer1::IPluginRegistry* nvinfer1::getBuilderPluginRegistry(nvinfer1::EngineCapability) noexcept {
  return ::getPluginRegistry();
}
nvinfer1::ILogger* getLogger() noexcept {
  return nullptr;
}

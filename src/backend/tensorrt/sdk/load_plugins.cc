// There are three kinds of libraries. Older ones register their plug-ins by themselves when they are opened. Newer ones
// export a list of them, which the registry reads with loadLibrary(); that fails if they are registered already. So a
// library is opened first, and the registry only asked to load it if nothing was registered by that, and only once. The
// third kind is the user's own build of NVIDIA's plug-ins, which registers some of them when it is opened and the
// others when a function of it is called.
//
// The registry keeps the first of two plug-ins of the same name. So the user's come before NVIDIA's.
#include "backend/tensorrt/sdk/load_plugins.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace assay::backend {
namespace {

using nvinfer1::IPluginRegistry;
using worker::Phase;

std::int32_t count(const IPluginRegistry& registry) {
  std::int32_t creators = 0;
  registry.getAllCreators(&creators);
  return creators;
}

// Returns the registry that builders and runtimes share.
Answer<IPluginRegistry*> global_registry(const TensorRtSdk& sdk) {
  using Get = IPluginRegistry* (*)();
  void* symbol = ::dlsym(RTLD_DEFAULT, "getPluginRegistry");  // TensorRT is opened for all
  IPluginRegistry* registry = symbol == nullptr ? nullptr : reinterpret_cast<Get>(symbol)();  // NOLINT
  if (registry != nullptr) return registry;
  return refuse(Phase::load, 0, fmt::format("TensorRT {} has no registry of plug-ins", sdk.library.version().text()));
}

// Calls the function of a build of NVIDIA's plug-ins that registers them. Returns whether that registered any.
bool registers(void* library, const IPluginRegistry& registry, TensorRtSdk& sdk) {
  if (::dlsym(library, "getCreators") != nullptr) return false;  // loadLibrary() takes it
  using Start = bool (*)(void*, const char*);
  void* start = ::dlsym(library, "initLibNvInferPlugins");
  if (start == nullptr) return false;
  const std::int32_t before = count(registry);
  const auto silence = sdk.logger.silence();        // it complains of those that others have registered
  reinterpret_cast<Start>(start)(&sdk.logger, "");  // NOLINT
  return count(registry) > before;
}

Answer<void> load(const std::string& file, TensorRtSdk& sdk) {
  ASSAY_ASSIGN(IPluginRegistry * registry, global_registry(sdk));
  const std::int32_t before = count(*registry);
  const bool was_open = ::dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr;
  void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return refuse(Phase::load, 0, fmt::format("cannot open the library of plug-ins {}: {}", file, ::dlerror()));
  }
  if (registers(library, *registry, sdk) || count(*registry) > before) return {};
  sdk.logger.clear();
  // The plug-ins of a library that was open before, such as TensorRT's own, are registered already.
  if (registry->loadLibrary(file.c_str()) != nullptr || was_open) return {};
  return tl::unexpected(
      sdk.logger.refused(Phase::load, fmt::format("TensorRT finds no plug-ins in the library {}", file)));
}

}  // namespace

Answer<void> load_plugins(const std::vector<std::string>& files, TensorRtSdk& sdk) {
  for (const std::string& file : files) {
    if (sdk.plugins.contains(file)) continue;
    ASSAY_TRY(load(file, sdk));
    sdk.plugins.insert(file);
  }
  const auto failure = [&sdk] {
    const auto silence = sdk.logger.silence();  // it complains of plug-ins that the user's libraries have registered
    return sdk.library.register_plugins(&sdk.logger);
  }();
  if (failure) sdk.logger.add(base::Level::warning, *failure);
  return {};
}

Answer<void> load_lean_plugins(const std::vector<std::string>& files, nvinfer1::IRuntime& runtime, TensorRtSdk& sdk) {
  for (const std::string& file : files) {
    sdk.logger.clear();
    if (runtime.getPluginRegistry().loadLibrary(file.c_str()) != nullptr) continue;
    worker::Refused refused = sdk.logger.refused(Phase::load, "it finds none");
    refused.failed.message = fmt::format(
        "the lean runtime can't load the plug-ins of {}: {}. It only takes libraries that export "
        "getCreators, not those that register their plug-ins when they are opened",
        file, refused.failed.message);
    return tl::unexpected(std::move(refused));
  }
  return {};
}

}  // namespace assay::backend

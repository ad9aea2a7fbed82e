// There are two kinds of libraries. Older ones register their plug-ins by themselves when they are opened. Newer ones
// export a list of them, which the registry reads with loadLibrary(); that fails if they are registered already. So a
// library is opened first, and the registry only asked to load it if nothing was registered by that, and only once.
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

Answer<void> load(const std::string& file, TensorRtSdk& sdk) {
  ASSAY_ASSIGN(IPluginRegistry * registry, global_registry(sdk));
  const std::int32_t before = count(*registry);
  const bool was_open = ::dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr;
  if (::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    return refuse(Phase::load, 0, fmt::format("cannot open the library of plug-ins {}: {}", file, ::dlerror()));
  }
  if (count(*registry) > before) return {};
  sdk.logger.clear();
  // The plug-ins of a library that was open before, such as TensorRT's own, are registered already.
  if (registry->loadLibrary(file.c_str()) != nullptr || was_open) return {};
  return tl::unexpected(
      sdk.logger.refused(Phase::load, fmt::format("TensorRT finds no plug-ins in the library {}", file)));
}

}  // namespace

Answer<void> load_plugins(const std::vector<std::string>& files, TensorRtSdk& sdk) {
  sdk.library.register_plugins(&sdk.logger);
  for (const std::string& file : files) {
    if (sdk.plugins.contains(file)) continue;
    ASSAY_TRY(load(file, sdk));
    sdk.plugins.insert(file);
  }
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

#include "plugin_registry.h"

#include <dlfcn.h>

#include <algorithm>
#include <string_view>

#include "misbehave.h"

namespace fake_tensorrt {

using nvinfer1::IPluginCreatorInterface;

namespace {

std::string_view name_of(const IPluginCreatorInterface* creator) {
  return static_cast<const nvinfer1::IPluginCreatorV3One*>(creator)->getPluginName();
}

}  // namespace

PluginRegistry& PluginRegistry::global() {
  static PluginRegistry registry(nullptr);
  return registry;
}

bool PluginRegistry::has_plugin(std::string_view name) const {
  const auto is_it = [name](const IPluginCreatorInterface* creator) { return name_of(creator) == name; };
  return std::any_of(creators_.begin(), creators_.end(), is_it) || (this != &global() && global().has_plugin(name));
}

nvinfer1::IPluginRegistry::PluginLibraryHandle PluginRegistry::fail(const std::string& error) const {
  if (logger_ != nullptr) {
    log_error(*logger_, "IPluginRegistry::loadLibrary: Error Code 3: API Usage Error (" + error + ")");
  }
  return nullptr;
}

nvinfer1::IPluginRegistry::PluginLibraryHandle PluginRegistry::loadLibrary(nvinfer1::AsciiChar const* path) noexcept {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return fail(dlerror());
  using GetCreators = IPluginCreatorInterface* const*(int32_t&);
  auto* get = reinterpret_cast<GetCreators*>(dlsym(library, "getCreators"));
  if (get == nullptr) return fail(std::string(path) + " has no getCreators");
  if (dlsym(library, "setLoggerFinder") == nullptr) return fail(std::string(path) + " has no setLoggerFinder");
  int32_t count = 0;
  IPluginCreatorInterface* const* creators = get(count);
  for (int32_t i = 0; i < count; ++i) {
    if (!registerCreator(*creators[i], "")) return fail("a plug-in is registered already");
  }
  return library;
}

void PluginRegistry::deregisterLibrary(PluginLibraryHandle handle) noexcept {
  dlclose(handle);
}

bool PluginRegistry::registerCreator(IPluginCreatorInterface& creator, nvinfer1::AsciiChar const*) noexcept {
  const auto has_its_name = [&](const IPluginCreatorInterface* other) { return name_of(other) == name_of(&creator); };
  if (std::any_of(creators_.begin(), creators_.end(), has_its_name)) return false;
  creators_.push_back(&creator);
  return true;
}

IPluginCreatorInterface* const* PluginRegistry::getAllCreators(int32_t* count) const noexcept {
  *count = static_cast<int32_t>(creators_.size());
  return creators_.data();
}

}  // namespace fake_tensorrt

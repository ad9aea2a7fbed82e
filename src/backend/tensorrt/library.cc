#include "backend/tensorrt/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace assay::backend {
namespace {

namespace fs = std::filesystem;
using worker::Phase;

constexpr int kMajor = 10;

template <class Function>
Function find(void* handle, const char* name) {
  return reinterpret_cast<Function>(::dlsym(handle, name));  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

// TensorRT 8 and 9 counted 8601 for 8.6.1, and 10 counts 101501 for 10.15.1.
std::string version_text(int number) {
  const int unit = number < 10000 ? 1000 : 10000;
  return fmt::format("{}.{}.{}", number / unit, number % unit / 100, number % 100);
}

}  // namespace

Answer<TensorRtLibrary> TensorRtLibrary::open(const std::string& path) {
  // Plug-ins and the parser refer to its symbols.
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle == nullptr) return refuse(Phase::start, 0, fmt::format("cannot open the library: {}", ::dlerror()));
  const auto version = find<int (*)()>(handle, "getInferLibVersion");
  TensorRtLibrary library;
  library.path_ = path;
  library.create_builder = find<Create>(handle, "createInferBuilder_INTERNAL");
  library.create_runtime = find<Create>(handle, "createInferRuntime_INTERNAL");
  if (version == nullptr || library.create_builder == nullptr || library.create_runtime == nullptr) {
    return refuse(Phase::start, 0,
                  fmt::format("{} is not TensorRT: it has no {}", path,
                              version == nullptr                  ? "getInferLibVersion"
                              : library.create_builder == nullptr ? "createInferBuilder_INTERNAL"
                                                                  : "createInferRuntime_INTERNAL"));
  }
  library.number_ = version();
  if (library.number_ / 10000 != kMajor) {
    return refuse(Phase::start, 0,
                  fmt::format("{} is TensorRT {}, and Assay works with TensorRT {}", path,
                              version_text(library.number_), kMajor));
  }
  return library;
}

std::string TensorRtLibrary::version() const {
  return version_text(number_);
}

tl::expected<void*, std::string> TensorRtLibrary::open_companion(const std::string& name) const {
  const std::string file = fmt::format("{}.so.{}", name, kMajor);
  const fs::path beside = fs::path(path_).parent_path() / file;
  void* handle = ::dlopen(beside.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle != nullptr) return handle;
  std::string reason = ::dlerror();
  handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle != nullptr) return handle;
  std::error_code code;
  if (!fs::exists(beside, code)) reason = ::dlerror();
  return tl::unexpected(std::move(reason));
}

Answer<TensorRtLibrary::CreateParser> TensorRtLibrary::open_parser() const {
  const auto handle = open_companion("libnvonnxparser");
  if (!handle) {
    return refuse(Phase::load, 0,
                  fmt::format("cannot open TensorRT's parser of ONNX models, which belongs beside {}: {}", path_,
                              handle.error()));
  }
  const auto create = find<CreateParser>(*handle, "createNvOnnxParser_INTERNAL");
  if (create == nullptr) {
    return refuse(Phase::load, 0, "the libnvonnxparser.so of TensorRT has no createNvOnnxParser_INTERNAL");
  }
  return create;
}

void TensorRtLibrary::register_plugins(void* logger) const {
  const auto handle = open_companion("libnvinfer_plugin");
  if (!handle) return;
  // initLibNvInferPlugins(logger, namespace) of NvInferPlugin.h; false means that they were registered before.
  if (const auto start = find<bool (*)(void*, const char*)>(*handle, "initLibNvInferPlugins")) start(logger, "");
}

}  // namespace assay::backend

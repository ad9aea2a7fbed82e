#include "backend/tensorrt/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "backend/serve/open_library.h"

namespace assay::backend {
namespace {

namespace fs = std::filesystem;
using worker::Phase;

template <class Function>
Function find(void* handle, const char* name) {
  return reinterpret_cast<Function>(::dlsym(handle, name));  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

// Opens the library that has the class of this object once more. Returns null if it can't be found. The object begins
// with the address of the table of its functions, which is in that library.
void* open_library_of(const void* object) {
  const void* functions = nullptr;
  std::memcpy(&functions, object, sizeof functions);
  Dl_info found = {};
  if (::dladdr(functions, &found) == 0 || found.dli_fname == nullptr) return nullptr;
  return ::dlopen(found.dli_fname, RTLD_NOW | RTLD_NOLOAD);
}

}  // namespace

Answer<TensorRtLibrary> TensorRtLibrary::open(const std::string& path, int major) {
  // Plug-ins and the parser refer to its symbols.
  ASSAY_ASSIGN(void* const handle, open_library(path, RTLD_NOW | RTLD_GLOBAL));
  const auto version = find<int (*)()>(handle, "getInferLibVersion");
  TensorRtLibrary library;
  library.path_ = path;
  library.create_builder = find<Create>(handle, "createInferBuilder_INTERNAL");
  library.create_runtime = find<Create>(handle, "createInferRuntime_INTERNAL");
  library.create_refitter_ = find<CreateRefitter>(handle, "createInferRefitter_INTERNAL");
  if (version == nullptr || library.create_builder == nullptr || library.create_runtime == nullptr) {
    return refuse(Phase::start, 0,
                  fmt::format("{} is not TensorRT: it has no {}", path,
                              version == nullptr                  ? "getInferLibVersion"
                              : library.create_builder == nullptr ? "createInferBuilder_INTERNAL"
                                                                  : "createInferRuntime_INTERNAL"));
  }
  library.number_ = version();
  if (library.version().major != major) {
    return refuse(Phase::start, 0,
                  fmt::format("{} is TensorRT {}, and this worker was built with the headers of TensorRT {}. Use a "
                              "library of TensorRT {} (pip install 'tensorrt=={}.*', or --trt-lib)",
                              path, library.version().text(), major, major, major));
  }
  return library;
}

std::optional<tensorrt::Version> TensorRtLibrary::version_that_made(const void* object) {
  void* handle = open_library_of(object);
  if (handle == nullptr) return std::nullopt;
  const auto version = find<int (*)()>(handle, "getInferLibVersion");
  std::optional<tensorrt::Version> found_version;
  if (version != nullptr) found_version = tensorrt::Version::from_number(version());
  ::dlclose(handle);  // the object keeps the library open
  return found_version;
}

TensorRtLibrary::Refitters TensorRtLibrary::refitters_of(const void* engine) const {
  const Refitters own{.create = create_refitter_, .version = number_};
  void* handle = open_library_of(engine);
  if (handle == nullptr) return own;
  const auto version = find<int (*)()>(handle, "getInferLibVersion");
  const auto create = find<CreateRefitter>(handle, "createInferRefitter_INTERNAL");
  ::dlclose(handle);  // the engine keeps the library open
  return version == nullptr ? own : Refitters{.create = create, .version = version()};
}

fs::path TensorRtLibrary::companion(const std::string& name) const {
  return fs::path(path_).parent_path() / fmt::format("{}.so.{}", name, version().major);
}

tl::expected<void*, std::string> TensorRtLibrary::open_companion(const std::string& name) const {
  const fs::path beside = companion(name);
  void* handle = ::dlopen(beside.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle != nullptr) return handle;
  std::string reason = ::dlerror();
  handle = ::dlopen(beside.filename().c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (handle != nullptr) return handle;
  std::error_code code;
  if (!fs::exists(beside, code)) reason = ::dlerror();
  return tl::unexpected(std::move(reason));
}

Answer<TensorRtLibrary::CreateParser> TensorRtLibrary::find_in_parser(const char* function) const {
  const auto handle = open_companion("libnvonnxparser");
  if (!handle) {
    return refuse(Phase::load, 0,
                  fmt::format("cannot open TensorRT's parser of ONNX models, which belongs next to {}: {}", path_,
                              handle.error()));
  }
  const auto create = find<CreateParser>(*handle, function);
  if (create == nullptr) {
    return refuse(Phase::load, 0, fmt::format("the libnvonnxparser.so of TensorRT has no {}", function));
  }
  return create;
}

Answer<TensorRtLibrary::CreateParser> TensorRtLibrary::open_parser() const {
  return find_in_parser("createNvOnnxParser_INTERNAL");
}

Answer<TensorRtLibrary::CreateParser> TensorRtLibrary::open_parser_refitter() const {
  return find_in_parser("createNvOnnxParserRefitter_INTERNAL");
}

std::optional<std::string> TensorRtLibrary::register_plugins(void* logger) const {
  constexpr const char* kName = "libnvinfer_plugin";
  const auto handle = open_companion(kName);
  if (!handle) {
    std::error_code code;
    const fs::path file = companion(kName);
    if (!fs::exists(file, code)) return std::nullopt;
    return fmt::format("cannot open NVIDIA's plug-ins {}: {}", file.string(), handle.error());
  }
  // initLibNvInferPlugins(logger, namespace) of NvInferPlugin.h; false means that they were registered before.
  if (const auto start = find<bool (*)(void*, const char*)>(*handle, "initLibNvInferPlugins")) start(logger, "");
  return std::nullopt;
}

}  // namespace assay::backend

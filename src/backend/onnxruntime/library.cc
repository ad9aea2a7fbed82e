#include "backend/onnxruntime/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "backend/serve/check_memory.h"
#include "backend/serve/open_library.h"
#include "base/strings.h"

namespace assay::backend {
namespace {

using worker::Phase;

constexpr std::uint32_t kOldestApi = 20;
static_assert(ORT_API_VERSION >= kOldestApi);

// Returns N for version 1.N, and so the newest API that the library has: ONNX Runtime 1.N has all APIs up to N.
std::uint32_t minor_of(const std::string& version) {
  const std::vector<std::string> parts = base::split(version, '.');
  return parts.size() < 2 || parts[0] != "1" ? 0 : static_cast<std::uint32_t>(std::atoi(parts[1].c_str()));
}

}  // namespace

Answer<OnnxRuntimeLibrary> OnnxRuntimeLibrary::open(const std::string& path) {
  ASSAY_ASSIGN(void* const handle, open_library(path, RTLD_NOW | RTLD_LOCAL));
  using GetApiBase = const OrtApiBase*(ORT_API_CALL*)();
  const auto get_api_base = reinterpret_cast<GetApiBase>(::dlsym(handle, "OrtGetApiBase"));
  if (get_api_base == nullptr) {
    return refuse(Phase::start, 0, fmt::format("{} is not ONNX Runtime: it has no OrtGetApiBase", path));
  }
  const OrtApiBase* base = get_api_base();
  std::string version = base->GetVersionString();
  const std::uint32_t wanted = std::min<std::uint32_t>(ORT_API_VERSION, minor_of(version));
  const OrtApi* api = wanted >= kOldestApi ? base->GetApi(wanted) : nullptr;
  if (api == nullptr) {
    return refuse(Phase::start, 0,
                  fmt::format("{} is ONNX Runtime {}, but Assay needs 1.{} or a later 1.x", path, version, kOldestApi));
  }
  return OnnxRuntimeLibrary(handle, api, std::move(version));
}

std::uint32_t OnnxRuntimeLibrary::minor() const {
  return minor_of(version_);
}

void* OnnxRuntimeLibrary::symbol(const char* name) const {
  return ::dlsym(handle_, name);
}

namespace {

// The names of OrtErrorCode in the order of their numbers (onnxruntime_c_api.h).
constexpr std::array<std::string_view, 14> kCodeNames = {"OK",
                                                         "FAIL",
                                                         "INVALID_ARGUMENT",
                                                         "NO_SUCHFILE",
                                                         "NO_MODEL",
                                                         "ENGINE_ERROR",
                                                         "RUNTIME_EXCEPTION",
                                                         "INVALID_PROTOBUF",
                                                         "MODEL_LOADED",
                                                         "NOT_IMPLEMENTED",
                                                         "INVALID_GRAPH",
                                                         "EP_FAIL",
                                                         "MODEL_LOAD_CANCELED",
                                                         "MODEL_REQUIRES_COMPILATION"};

std::string_view code_name(int code) {
  const auto index = static_cast<std::size_t>(code);
  return index < kCodeNames.size() ? kCodeNames[index] : "UNKNOWN";
}

}  // namespace

Answer<void> OnnxRuntimeLibrary::check(OrtStatus* status, Phase phase) const {
  if (status == nullptr) return {};
  const Owned<OrtStatus> owned(status, api_->ReleaseStatus);
  const int code = api_->GetErrorCode(status);
  std::string message(base::trim(api_->GetErrorMessage(status)));
  const bool out_of_memory = is_out_of_memory(message);
  // The format of ONNX Runtime's own Python package, so that a --fail-regex written for one also matches the other.
  message = fmt::format("[ONNXRuntimeError] : {} : {} : {}", code, code_name(code), message);
  return refuse(phase, code, std::move(message), out_of_memory);
}

}  // namespace assay::backend

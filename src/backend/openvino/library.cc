#include "backend/openvino/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "backend/serve/check_memory.h"
#include "backend/serve/open_library.h"
#include "base/strings.h"

namespace assay::backend {
namespace {

using worker::Phase;

// Finds all functions. Returns the name of the first one that the library lacks but every version has, or null.
const char* find_functions(void* handle, ov::Functions& api) {
#define ASSAY_OPENVINO_FIND(name, result, arguments) \
  api.name = reinterpret_cast<result(*) arguments>(::dlsym(handle, #name)); /*NOLINT*/
#define ASSAY_OPENVINO_NEED(name, result, arguments) \
  ASSAY_OPENVINO_FIND(name, result, arguments)       \
  if (api.name == nullptr) return #name;
  using namespace ov;
  ASSAY_OPENVINO_FUNCTIONS(ASSAY_OPENVINO_NEED)
  ASSAY_OPENVINO_NEWER_FUNCTIONS(ASSAY_OPENVINO_FIND)
#undef ASSAY_OPENVINO_NEED
#undef ASSAY_OPENVINO_FIND
  return nullptr;
}

// Removes the lines before the message that only say which of OpenVINO's sources passed the exception on.
std::string_view without_places(std::string_view message) {
  while (message.starts_with("Exception from ") && message.find('\n') != std::string_view::npos) {
    message.remove_prefix(message.find('\n') + 1);
  }
  return message;
}

}  // namespace

Answer<OpenVinoLibrary> OpenVinoLibrary::open(const std::string& path) {
  ASSAY_ASSIGN(void* const handle, open_library(path, RTLD_NOW | RTLD_LOCAL));
  OpenVinoLibrary library;
  if (const char* missing = find_functions(handle, library.api_)) {
    return refuse(Phase::start, 0, fmt::format("{} is not OpenVINO 2024 or later: it has no {}", path, missing));
  }
  ov::Version version = {};
  ASSAY_TRY(library.check(library.api_.ov_get_openvino_version(&version), Phase::start));
  library.version_ = version.build_number;
  library.api_.ov_version_free(&version);
  return library;
}

Answer<void> OpenVinoLibrary::check(ov::Status status, Phase phase) const {
  if (status == 0) return {};
  const char* last = api_.ov_get_last_err_msg();
  std::string message(base::trim(last == nullptr ? "" : last));
  if (message.empty()) message = fmt::format("OpenVINO: {}", api_.ov_get_error_info(status));
  const bool out_of_memory = is_out_of_memory(message);
  // A user's option is wrong, or memory is short: OpenVINO's sources don't matter.
  if (out_of_memory || phase == Phase::start) message = std::string(without_places(message));
  return refuse(phase, status, std::move(message), out_of_memory);
}

}  // namespace assay::backend

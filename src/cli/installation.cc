#include "cli/installation.h"

#include <cstdlib>
#include <system_error>

#include "base/strings.h"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

// The only library in a folder that is named like ONNX Runtime's; empty where there is none.
fs::path find_library(const fs::path& folder) {
  std::error_code code;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    if (entry.path().filename().string().starts_with("libonnxruntime.so")) return entry.path();
  }
  return {};
}

}  // namespace

Installation find_installation() {
  Installation found;
  std::error_code code;
  found.executable = fs::read_symlink("/proc/self/exe", code);
  found.libexec = found.executable.parent_path().parent_path() / "libexec" / "assay";
  backend::EngineSearch& engines = found.engines;
  engines.onnxruntime_fetched = find_library(found.libexec / "onnxruntime");
#ifdef ASSAY_FETCHED_ONNXRUNTIME_LIB
  if (engines.onnxruntime_fetched.empty()) engines.onnxruntime_fetched = ASSAY_FETCHED_ONNXRUNTIME_LIB;
#endif
  engines.onnxruntime_variable = variable("ASSAY_ONNXRUNTIME_LIB");
  engines.virtual_env = variable("VIRTUAL_ENV");
  engines.home = variable("HOME");
  for (const std::string& folder : base::split(variable("PATH"), ':')) {
    if (!folder.empty()) engines.path.emplace_back(folder);
  }
  return found;
}

}  // namespace assay::cli

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

// Returns the library that set-up downloaded for this build. The build lists them as "KIND=PATH|KIND=PATH".
std::string fetched_library(std::string_view kind) {
  for (const std::string& entry : base::split(ASSAY_FETCHED_LIBRARIES, '|')) {
    if (entry.starts_with(std::string(kind) + "=")) return entry.substr(kind.size() + 1);
  }
  return {};
}

}  // namespace

Installation find_installation() {
  Installation found;
  found.has_display = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
  std::error_code code;
  found.executable = fs::read_symlink("/proc/self/exe", code);
  found.libexec = found.executable.parent_path().parent_path() / "libexec" / "assay";
  backend::EngineSearch& engines = found.engines;
  for (const backend::EngineRow& row : backend::engine_rows()) {
    if (row.library.file.empty()) continue;
    backend::EngineSearch::Places& places = engines.libraries[std::string(row.kind)];
    const fs::path installed = found.libexec / row.kind;
    places.fetched = fs::is_directory(installed, code) ? installed : fs::path(fetched_library(row.kind));
    places.variable = variable(std::string(row.library.variable).c_str());
  }
  engines.virtual_env = variable("VIRTUAL_ENV");
  engines.home = variable("HOME");
  for (const std::string& folder : base::split(variable("PATH"), ':')) {
    if (!folder.empty()) engines.path.emplace_back(folder);
  }
  return found;
}

}  // namespace assay::cli

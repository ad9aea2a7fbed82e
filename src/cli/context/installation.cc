#include "cli/context/installation.h"

#include <cstdlib>
#include <system_error>

#include "backend/search_environment.h"

namespace assay::cli {

Installation find_installation() {
  Installation found;
  found.has_display = std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
  std::error_code code;
  found.executable = std::filesystem::read_symlink("/proc/self/exe", code);
  found.libexec = found.executable.parent_path().parent_path() / "libexec" / "assay";
  found.engines = backend::search_environment(found.libexec);
  return found;
}

}  // namespace assay::cli

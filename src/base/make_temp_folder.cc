#include "base/make_temp_folder.h"

#include <cerrno>
#include <cstdlib>

namespace assay::base {
namespace fs = std::filesystem;

Expected<fs::path> temp_parent(const fs::path& parent) {
  if (!parent.empty()) return parent;
  std::error_code code;
  fs::path folder = fs::temp_directory_path(code);
  if (code) return fail(system_error("cannot find the temporary folder", "TMPDIR", code.value()));
  return folder;
}

Expected<fs::path> make_temp_folder(const fs::path& parent, const std::string& prefix) {
  std::string name = (parent / (prefix + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr)
    return fail(system_error("cannot create a temporary folder", parent.string(), errno));
  return name;
}

}  // namespace assay::base

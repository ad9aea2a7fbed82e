#include "base/temp_dir.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

namespace assay::base {
namespace fs = std::filesystem;

TempDir::TempDir(TempDir&& other) noexcept : path_(std::exchange(other.path_, {})) {}

TempDir& TempDir::operator=(TempDir&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TempDir::~TempDir() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Expected<TempDir> TempDir::create(const fs::path& parent) {
  std::error_code code;
  const fs::path base = parent.empty() ? fs::temp_directory_path(code) : parent;
  if (code) return fail(system_error("cannot find the temporary folder", "TMPDIR", code.value()));
  std::string name = (base / "assay-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    return fail(system_error("cannot create a temporary folder", base.string(), errno));
  return TempDir(name);
}

}  // namespace assay::base

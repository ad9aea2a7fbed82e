#include "base/temp_dir.h"

#include <utility>

#include "base/make_temp_folder.h"

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
  ASSAY_ASSIGN(const fs::path base, temp_parent(parent));
  ASSAY_ASSIGN(fs::path folder, make_temp_folder(base, "assay-"));
  return TempDir(std::move(folder));
}

}  // namespace assay::base

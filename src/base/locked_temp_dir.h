// Temporary folders for data so large that a killed process must not leave it on the disk.
//
// A folder is locked (flock) while its owner lives, and the kernel releases the lock when the owner dies. So creating
// one can remove those that killed processes left behind.
#pragma once

#include <filesystem>
#include <string>

#include "base/error.h"

namespace assay::base {

// A new folder, removed with its contents on destruction.
class LockedTempDir {
 public:
  // Creates "assay-KIND-XXXXXX" below `parent`, or below the system's temporary folder if `parent` is empty, and
  // removes folders of the same kind whose owners have died. Errors: those of system_error().
  static Expected<LockedTempDir> create(const std::string& kind, const std::filesystem::path& parent = {});
  LockedTempDir(LockedTempDir&& other) noexcept;
  LockedTempDir& operator=(LockedTempDir&& other) noexcept;
  ~LockedTempDir();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  LockedTempDir(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::filesystem::path path_;
  int lock_;  // a descriptor of the folder; -1: none
};

}  // namespace assay::base

// Temporary folders that remove themselves.
//
// Errors: those of system_error() or read_error(), with the path as `where`, unless a function says otherwise.
#pragma once

#include <filesystem>

#include "base/error.h"

namespace assay::base {

// A new folder, removed with its contents on destruction.
class TempDir {
 public:
  // Creates it below `parent`, or below the system's temporary folder if `parent` is empty.
  static Expected<TempDir> create(const std::filesystem::path& parent = {});
  TempDir(TempDir&& other) noexcept;
  TempDir& operator=(TempDir&& other) noexcept;
  ~TempDir();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  explicit TempDir(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace assay::base

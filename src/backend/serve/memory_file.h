// A file in memory, for engines that read models and scripts from files only. It has no name on the disk and disappears
// with the process, so a worker that is killed leaves nothing behind.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/mapped_file.h"
#include "worker/file_descriptor.h"

namespace assay::backend {

class MemoryFile {
 public:
  // Returns nothing and sets errno if no memory is left.
  static std::optional<MemoryFile> create(std::string_view contents = {});
  // Returns false and sets errno if no memory is left.
  bool append(std::string_view contents);

  // Returns a path for this process and its children.
  [[nodiscard]] std::string path() const;
  [[nodiscard]] base::Expected<std::shared_ptr<const base::MappedFile>> map() const;
  [[nodiscard]] std::string text() const;

 private:
  explicit MemoryFile(worker::FileDescriptor fd) : fd_(std::move(fd)) {}
  worker::FileDescriptor fd_;
};

}  // namespace assay::backend

// Files as memory.
//
// Errors: those of system_error() or read_error(), with the path as `where`, unless a function says otherwise.
#pragma once

#include <cstddef>
#include <ctime>
#include <filesystem>
#include <memory>
#include <span>

#include "base/error.h"

namespace assay::base {

// A read-only view of a whole file. Pages are read on first touch; an empty file is an empty view. The file stays open,
// so the view stays valid if the file is renamed or removed.
class MappedFile {
 public:
  // Errors: invalid_input if the path isn't a regular file.
  static Expected<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }
  // Returns whether a program has written to the file since it was mapped, judging by its size and time of
  // modification. The view then shows other bytes than before. If the file was truncated, touching bytes behind its end
  // ends the process (SIGBUS). A file that another program has locked (flock) is being filled: bytes that were read
  // before stay as they are, so it counts as unchanged.
  [[nodiscard]] bool has_changed() const;
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // Hints for code that touches little of a large file; none of them changes bytes().
  // Sets whether touching a page reads only that page, instead of reading ahead by megabytes.
  void expect_sparse_access(bool sparse) const;
  // Starts reading a range that will be touched soon.
  void prefetch(std::size_t offset, std::size_t length) const;
  // Releases the memory of touched pages before `end`; touching them again reads them again.
  void release(std::size_t end) const;

 private:
  MappedFile(std::filesystem::path path, int fd, const std::byte* data, std::size_t size, const timespec& modified);
  void advise(std::size_t begin, std::size_t end, int advice) const;
  std::filesystem::path path_;
  int fd_;
  const std::byte* data_;
  std::size_t size_;
  timespec modified_;  // when it was mapped
};

}  // namespace assay::base

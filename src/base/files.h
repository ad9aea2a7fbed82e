// Files that are never half written, temporary folders that remove themselves, and memory-mapped input.
//
// Errors: those of system_error() or read_error(), with the path as `where`, unless a function says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::base {

Expected<std::string> read_file(const std::filesystem::path& path);

// Returns the paths of a folder's entries, sorted.
Expected<std::vector<std::filesystem::path>> list_folder(const std::filesystem::path& path);

// Says what a committed file must survive: a crash of the machine or, for scratch files, only a crash of its writer.
enum class Durability { machine, process };

// Writes a file under a temporary name in the same folder; commit() syncs and renames it, replacing an existing file.
// Without commit() the temporary file is removed and an existing file stays unchanged. The temporary name is
// ".NAME.assay-XXXXXX", with six letters or digits. If the path is a symbolic link, the file that it leads to is
// written like this, and the link stays. A path that exists and isn't a regular file (/dev/null, a pipe) is written to
// directly.
class AtomicFile {
 public:
  // Creates missing parent folders, but not those that a link leads into. Errors: invalid_input if the path is a
  // folder; those of follow_links().
  static Expected<AtomicFile> create(std::filesystem::path path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  Status write(std::string_view bytes);
  // Appends `length` bytes from `offset` of another file, inside the kernel if the file system can (it may share them).
  // Errors: io if the source is shorter.
  Status copy_range(int source_fd, std::uint64_t offset, std::uint64_t length);
  // Sets whether write() bypasses the page cache, which needs the memory, position and length of each write() to be
  // multiples of 4096. Returns false if the file system doesn't support it. A write() that can't bypass the cache turns
  // this off and writes normally.
  bool bypass_cache(bool bypass);
  // Starts writing back to the disk what was written so far, so that commit() waits less.
  void begin_sync();
  [[nodiscard]] std::uint64_t position() const { return position_; }
  // Returns the descriptor of the temporary file, from which written bytes can be read back.
  [[nodiscard]] int fd() const { return fd_; }
  // Durability::process skips the sync, which takes milliseconds.
  Status commit(Durability durability = Durability::machine);

 private:
  AtomicFile(std::filesystem::path path, std::filesystem::path temporary, int fd);
  std::filesystem::path path_;
  std::filesystem::path temporary_;  // empty if written in place
  int fd_;
  std::uint64_t position_ = 0;
};

// Writes a whole file through AtomicFile.
Status write_file(const std::filesystem::path& path, std::string_view bytes);

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
  MappedFile(std::filesystem::path path, int fd, const std::byte* data, std::size_t size);
  void advise(std::size_t begin, std::size_t end, int advice) const;
  std::filesystem::path path_;
  int fd_;
  const std::byte* data_;
  std::size_t size_;
};

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

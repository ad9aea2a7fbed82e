// Files that are never half written, temporary folders that go away, and memory-mapped input.
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

// What lies in a folder, sorted.
Expected<std::vector<std::filesystem::path>> list_folder(const std::filesystem::path& path);

// What a file has to survive: a crash of the machine, or, for scratch files, only that of its writer.
enum class Durability { machine, process };

// Writes a file under a temporary name in the same folder; commit() syncs it and gives it its name, replacing what was
// there. Without commit() the temporary is removed and a file of that name stays as it was. The temporary's name is
// ".NAME.assay-XXXXXX", with six letters or digits. What is no regular file (/dev/null, a pipe) is written to as it is.
class AtomicFile {
 public:
  // Makes missing parent folders.
  static Expected<AtomicFile> create(std::filesystem::path path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  Status write(std::string_view bytes);
  // Copies `length` bytes at `offset` of another file, inside the kernel where the file system can (reflink included).
  Status copy_range(int source_fd, std::uint64_t offset, std::uint64_t length);
  // Whether what is written goes to the disk past the page cache, which wants memory, position and length of each
  // write() at multiples of 4096; false: the file system has no such thing. A write() that finds it cannot goes the
  // usual way.
  bool bypass_cache(bool bypass);
  // Has the disk begin with what was written, so that commit() has less to wait for.
  void begin_sync();
  // Moves on to a later position; the gap reads as zeros.
  Status seek(std::uint64_t offset);
  [[nodiscard]] std::uint64_t position() const { return position_; }
  // Of the temporary: what was written can be read back.
  [[nodiscard]] int fd() const { return fd_; }
  // Durability::process does not sync, which takes milliseconds.
  Status commit(Durability durability = Durability::machine);

 private:
  AtomicFile(std::filesystem::path path, std::filesystem::path temporary, int fd);
  std::filesystem::path path_;
  std::filesystem::path temporary_;  // empty: written in place
  int fd_;
  std::uint64_t position_ = 0;
};

// AtomicFile in one call.
Status write_file(const std::filesystem::path& path, std::string_view bytes);

// A read-only view of a whole file. Pages are read when touched; an empty file is an empty view. Also keeps the file
// open, so that it outlives a rename or removal.
class MappedFile {
 public:
  static Expected<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // Advice for a walk that touches little of a large file; none changes what bytes() holds.
  // Whether touching a page reads it alone, and not megabytes around it.
  void expect_sparse_access(bool sparse) const;
  // Begins to read a range that will be touched soon.
  void prefetch(std::size_t offset, std::size_t length) const;
  // Gives back the memory that touched pages before `end` take; touched again, they are read again.
  void release(std::size_t end) const;

 private:
  MappedFile(std::filesystem::path path, int fd, const std::byte* data, std::size_t size);
  void advise(std::size_t begin, std::size_t end, int advice) const;
  std::filesystem::path path_;
  int fd_;
  const std::byte* data_;
  std::size_t size_;
};

// A folder of our own below `parent` (the system's temporary folder where empty), removed with all that is in it.
class TempDir {
 public:
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

// Files that are never half written.
//
// Errors: those of system_error() or read_error(), with the path as `where`, unless a function says otherwise.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace assay::base {

// Says what a committed file must survive: a crash of the machine or, for scratch files, only a crash of its writer.
enum class Durability { machine, process };

// Writes a file under a temporary name in the same folder; commit() syncs and renames it, replacing an existing file.
// Without commit() the temporary file is removed and an existing file stays unchanged. The temporary name is
// ".NAME.assay-XXXXXX", with six letters or digits. If the path is a symbolic link, the file that it leads to is
// written like this, and the link stays. The new file has the permissions of the one that it replaces. A path that
// exists and isn't a regular file (/dev/null, a pipe) is written to directly. A file that is write-protected isn't
// replaced, although its folder would allow it.
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
  // Commits the files in their order. If there are many, it syncs their file system once instead of each file.
  static Status commit_all(std::vector<AtomicFile>& files, Durability durability = Durability::machine);

 private:
  AtomicFile(std::filesystem::path path, std::filesystem::path temporary, int fd);
  static Status sync_all(const std::vector<AtomicFile>& files);
  [[nodiscard]] Status sync() const;
  Status take_name();
  std::filesystem::path path_;
  std::filesystem::path temporary_;  // empty if written in place
  int fd_;
  std::uint64_t position_ = 0;
};

}  // namespace assay::base

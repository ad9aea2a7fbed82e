// A file appears under its final name only through rename(2), after it was written and synced, so readers see the old
// file or the new one, never half of one. While it is written, the temporary file carries a lock by which a later run
// recognises that its writer is alive (abandoned_files.h).
//
// Bulk data avoids user space where possible: copy_file_range(2) copies weights inside the kernel and falls back to a
// loop of pread(2) and write(2). Large holes of the source stay holes.
#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/follow_links.h"
#include "base/hole_length.h"
#include "base/read_error.h"

namespace assay::base {
namespace fs = std::filesystem;

AtomicFile::AtomicFile(fs::path path, fs::path temporary, int fd)
    : path_(std::move(path)), temporary_(std::move(temporary)), fd_(fd) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::move(other.temporary_)),
      fd_(std::exchange(other.fd_, -1)),
      position_(other.position_) {}

AtomicFile::~AtomicFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

namespace {

fs::path parent_folder(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Locks a temporary file to show other runs that its writer is alive. Returns false if another run saw the file before
// it was locked and removed it. Returns true on file systems without locks: no run can lock, and so remove, the file.
bool lock_temporary(int fd) {
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat info = {};
  return ::fstat(fd, &info) != 0 || info.st_nlink > 0;
}

// Replaces mkostemp(3), which creates files that only their owner may read. Correcting the mode afterwards would need
// the umask, and reading the umask means changing it for all threads.
int make_temporary(const fs::path& prefix, std::string& name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr int kTries = 100;
  int fd = -1;
  for (int i = 0; i < kTries; ++i) {
    std::array<unsigned char, 6> random = {};
    if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) return -1;
    name = prefix.string();
    for (const unsigned char byte : random) name += kLetters[byte % kLetters.size()];
    fd = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
      if (lock_temporary(fd)) break;
      ::close(std::exchange(fd, -1));
      ::unlink(name.c_str());
      errno = EBUSY;
    } else if (errno != EEXIST) {
      break;
    }
  }
  return fd;
}

// If the target exists, gives the temporary file the target's permissions. Failures are ignored: some file systems have
// no permissions.
void keep_mode(const fs::path& target, int fd) {
  struct stat info = {};
  constexpr mode_t kPermissions = S_IRWXU | S_IRWXG | S_IRWXO;
  if (::stat(target.c_str(), &info) == 0) (void)::fchmod(fd, info.st_mode & kPermissions);
}

}  // namespace

Expected<AtomicFile> AtomicFile::create(fs::path path) {
  if (path.empty())
    return fail(ErrorKind::invalid_input, "cannot write: the name of the file is empty", {}, "Give a name");
  const fs::path given_folder = parent_folder(path);
  std::error_code code;
  if (!path.has_filename() || fs::is_directory(path, code))
    return fail(ErrorKind::invalid_input, "cannot write: it is a folder", path.string(), "Give the name of a file");
  fs::create_directories(given_folder, code);
  if (code) return fail(system_error("cannot create the folder", given_folder.string(), code.value()));
  if (fs::exists(path, code) && !fs::is_regular_file(path, code)) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return fail(system_error("cannot write", path.string(), errno));
    return AtomicFile(std::move(path), {}, fd);
  }
  ASSAY_ASSIGN(fs::path target, follow_links(path));
  if (::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0 && errno == EACCES)
    return fail(system_error("cannot write", target.string(), EACCES));
  std::string name;
  const int fd = make_temporary(parent_folder(target) / ("." + target.filename().string() + ".assay-"), name);
  if (fd < 0) return fail(system_error("cannot write", target.string(), errno));
  keep_mode(target, fd);
  return AtomicFile(std::move(target), std::move(name), fd);
}

Status AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd_, bytes.data(), std::min<std::size_t>(bytes.size(), 1 << 30));
    if (count < 0 && errno == EINTR) continue;
    // Some file systems accept O_DIRECT but then fail to write, or need a larger alignment.
    if (count < 0 && errno == EINVAL && (::fcntl(fd_, F_GETFL) & O_DIRECT) != 0 && bypass_cache(false)) continue;
    if (count < 0) return fail(system_error("cannot write", path_.string(), errno));
    bytes.remove_prefix(static_cast<std::size_t>(count));
    position_ += static_cast<std::uint64_t>(count);
  }
  return {};
}

bool AtomicFile::bypass_cache(bool bypass) {
  const int flags = ::fcntl(fd_, F_GETFL);
  return flags >= 0 && ::fcntl(fd_, F_SETFL, bypass ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
}

void AtomicFile::begin_sync() {
  ::sync_file_range(fd_, 0, 0, SYNC_FILE_RANGE_WRITE);  // if this fails, commit() syncs everything
}

namespace {

// Extends the file from `begin` by a hole, and moves there.
bool append_hole(int fd, std::uint64_t begin, std::uint64_t length) {
  const auto end = static_cast<off_t>(begin + length);
  return ::ftruncate(fd, end) == 0 && ::lseek(fd, end, SEEK_SET) == end;
}

}  // namespace

Status AtomicFile::copy_range(int source_fd, std::uint64_t offset, std::uint64_t length) {
  constexpr std::uint64_t kPiece = std::uint64_t{64} << 20;  // copied between two looks for a hole
  constexpr std::uint64_t kLeastHole = 1 << 20;
  auto from = static_cast<loff_t>(offset);
  while (length > 0) {
    const std::uint64_t hole = hole_length(source_fd, static_cast<std::uint64_t>(from), length);
    if (hole >= kLeastHole && !temporary_.empty() && append_hole(fd_, position_, hole)) {
      position_ += hole;
      from += static_cast<loff_t>(hole);
      length -= hole;
      continue;
    }
    const ssize_t count = ::copy_file_range(source_fd, &from, fd_, nullptr, std::min(length, kPiece), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;  // another file system, a special file or a short source: the loop below handles them
    length -= static_cast<std::uint64_t>(count);
    position_ += static_cast<std::uint64_t>(count);
  }
  std::vector<char> buffer(std::min<std::uint64_t>(length, 1 << 20));
  while (length > 0) {
    const ssize_t count = ::pread(source_fd, buffer.data(), std::min<std::uint64_t>(length, buffer.size()), from);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(read_error("cannot read the source of", path_.string(), errno));
    if (count == 0) return fail(ErrorKind::io, "the source file ended early while copying", path_.string());
    ASSAY_TRY(write({buffer.data(), static_cast<std::size_t>(count)}));
    from += count;
    length -= static_cast<std::uint64_t>(count);
  }
  return {};
}

namespace {

// Makes the names in a folder survive a crash of the machine. Some file systems don't support this, and some users may
// write to a folder that they may not read; then nothing can be done.
Status sync_folder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && errno == EACCES) return {};
  const bool synced = fd >= 0 && (::fsync(fd) == 0 || errno == EINVAL);
  const int error = errno;
  if (fd >= 0) ::close(fd);
  if (!synced) return fail(system_error("cannot sync the folder", folder.string(), error));
  return {};
}

}  // namespace

Status AtomicFile::sync() const {
  if (temporary_.empty() || ::fsync(fd_) == 0) return {};
  return fail(system_error("cannot write", path_.string(), errno));
}

// A sync of a file takes milliseconds, mostly to empty the disk's cache, and a model can have thousands of files of
// weights.
Status AtomicFile::sync_all(const std::vector<AtomicFile>& files) {
  constexpr std::size_t kMany = 64;
  if (files.size() < kMany) {
    for (const AtomicFile& file : files) ASSAY_TRY(file.sync());
    return {};
  }
  std::set<dev_t> synced;  // a file that a symbolic link leads to may be on another file system
  for (const AtomicFile& file : files) {
    struct stat info = {};
    const bool is_known = ::fstat(file.fd_, &info) == 0;
    if (is_known && (file.temporary_.empty() || !synced.insert(info.st_dev).second)) continue;
    if (!is_known || ::syncfs(file.fd_) != 0) return fail(system_error("cannot write", file.path_.string(), errno));
  }
  return {};
}

Status AtomicFile::take_name() {
  if (!temporary_.empty() && ::rename(temporary_.c_str(), path_.c_str()) != 0) {
    return fail(system_error("cannot rename to", path_.string(), errno));
  }
  ::close(std::exchange(fd_, -1));
  return {};
}

Status AtomicFile::commit(Durability durability) {
  if (durability == Durability::machine) ASSAY_TRY(sync());
  ASSAY_TRY(take_name());
  const bool has_name_to_sync = durability == Durability::machine && !temporary_.empty();
  return has_name_to_sync ? sync_folder(temporary_.parent_path()) : Status();
}

Status AtomicFile::commit_all(std::vector<AtomicFile>& files, Durability durability) {
  if (durability == Durability::machine) ASSAY_TRY(sync_all(files));
  std::set<fs::path> folders;
  for (AtomicFile& file : files) {
    ASSAY_TRY(file.take_name());
    if (!file.temporary_.empty()) folders.insert(file.temporary_.parent_path());
  }
  if (durability == Durability::machine) {
    for (const fs::path& folder : folders) ASSAY_TRY(sync_folder(folder));
  }
  return {};
}

}  // namespace assay::base

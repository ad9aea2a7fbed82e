// Mappings read only the pages that are touched.
#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/read_error.h"

namespace assay::base {
namespace fs = std::filesystem;

MappedFile::MappedFile(fs::path path, int fd, const std::byte* data, std::size_t size, const timespec& modified)
    : path_(std::move(path)), fd_(fd), data_(data), size_(size), modified_(modified) {}

MappedFile::~MappedFile() {
  if (size_ > 0) ::munmap(const_cast<std::byte*>(data_), size_);
  ::close(fd_);
}

Expected<std::shared_ptr<const MappedFile>> MappedFile::open(const fs::path& path) {
  if (path.empty()) return fail(ErrorKind::not_found, "cannot open: the name of the file is empty", {}, "Give a name");
  // Otherwise, open() would wait for a pipe's writer. The flag has no effect on regular files.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return fail(read_error("cannot open", path.string(), errno));
  struct stat info = {};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(fd);
    const bool is_stream = S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode) || S_ISSOCK(info.st_mode);
    return fail(
        ErrorKind::invalid_input, "not a regular file", path.string(),
        is_stream ? "Write its content to a file first: files are mapped, or read several times" : "Check the path");
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  void* data = nullptr;
  if (size > 0) {
    data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) {
      Error error = read_error("cannot map into memory", path.string(), errno);
      ::close(fd);
      return fail(std::move(error));
    }
  }
  return std::shared_ptr<const MappedFile>(
      new MappedFile(path, fd, static_cast<const std::byte*>(data), size, info.st_mtim));
}

bool MappedFile::has_changed() const {
  struct stat info = {};
  if (::fstat(fd_, &info) != 0 || static_cast<std::size_t>(info.st_size) != size_) return true;
  if (info.st_mtim.tv_sec == modified_.tv_sec && info.st_mtim.tv_nsec == modified_.tv_nsec) return false;
  const bool is_being_filled = ::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!is_being_filled) ::flock(fd_, LOCK_UN);
  return !is_being_filled;
}

void MappedFile::advise(std::size_t begin, std::size_t end, int advice) const {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  begin = begin / page * page;
  end = std::min(end, size_);
  if (begin < end) ::madvise(const_cast<std::byte*>(data_) + begin, end - begin, advice);
}

void MappedFile::expect_sparse_access(bool sparse) const {
  advise(0, size_, sparse ? MADV_RANDOM : MADV_NORMAL);
}

void MappedFile::prefetch(std::size_t offset, std::size_t length) const {
  advise(offset, offset + length, MADV_WILLNEED);
}

void MappedFile::release(std::size_t end) const {
  advise(0, end, MADV_DONTNEED);
}

}  // namespace assay::base

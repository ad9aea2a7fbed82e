// Filled ranges are recorded, so each is copied once. Copying uses copy_file_range() and falls back to a loop of reads
// and writes, which also reports errors. Holes of the source stay holes.
#include "reduce/candidates/sparse_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>
#include <vector>

#include "base/hole_length.h"
#include "base/read_error.h"

namespace assay::reduce {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{64} << 20;  // bytes copied between two checks of the stop

std::uint64_t hole(const model::FileRange& from, std::uint64_t done) {
  return base::hole_length(from.file->fd(), from.offset + done, from.length - done);
}

}  // namespace

base::Expected<SparseFile> SparseFile::create(std::filesystem::path path, std::uint64_t size) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return base::fail(base::system_error("cannot write", path.string(), errno));
  SparseFile file(std::move(path), fd);
  if (::ftruncate(fd, static_cast<off_t>(size)) != 0) {
    return base::fail(base::system_error("cannot write", file.path_.string(), errno));
  }
  ::flock(fd, LOCK_SH);  // tells readers that it is being filled (base/mapped_file.h)
  return file;
}

SparseFile::SparseFile(SparseFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)), filled_(std::move(other.filled_)) {}

SparseFile& SparseFile::operator=(SparseFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  std::swap(filled_, other.filled_);
  return *this;
}

SparseFile::~SparseFile() {
  if (fd_ >= 0) ::close(fd_);
}

std::uint64_t SparseFile::missing(std::uint64_t offset, std::uint64_t length) const {
  const auto after = filled_.upper_bound(offset);
  if (after == filled_.begin()) return length;
  const auto& [begin, size] = *std::prev(after);
  return offset + length <= begin + size ? 0 : length;
}

base::Status SparseFile::fill(std::uint64_t offset, const model::FileRange& from, const base::Stop& stop) {
  if (missing(offset, from.length) == 0) return {};
  for (std::uint64_t done = hole(from, 0); done < from.length;) {
    if (stop.requested()) return base::fail(base::ErrorKind::interrupted, "stopped while copying weights");
    const std::uint64_t length = std::min(kPiece, from.length - done);
    ASSAY_TRY(copy_piece(offset + done, from.file->fd(), from.offset + done, length));
    done += length;
    done += hole(from, done);
  }
  std::uint64_t& filled = filled_[offset];
  filled = std::max(filled, from.length);
  return {};
}

base::Status SparseFile::copy_piece(std::uint64_t offset, int source_fd, std::uint64_t from,
                                    std::uint64_t length) const {
  auto read_at = static_cast<loff_t>(from);
  auto write_at = static_cast<loff_t>(offset);
  while (length > 0) {
    const ssize_t count = ::copy_file_range(source_fd, &read_at, fd_, &write_at, length, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;  // another file system, a full disk, a short file: the plain loop reports the error
    length -= static_cast<std::uint64_t>(count);
  }
  std::vector<char> buffer(std::min<std::uint64_t>(length, 1 << 20));
  while (length > 0) {
    const ssize_t count = ::pread(source_fd, buffer.data(), std::min<std::uint64_t>(length, buffer.size()), read_at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::fail(base::read_error("cannot read the source of", path_.string(), errno));
    if (count == 0) return base::fail(base::ErrorKind::io, "the source file ended early while copying", path_.string());
    const ssize_t written = ::pwrite(fd_, buffer.data(), static_cast<std::size_t>(count), write_at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return base::fail(base::system_error("cannot write", path_.string(), errno));
    read_at += written;
    write_at += written;
    length -= static_cast<std::uint64_t>(written);
  }
  return {};
}

}  // namespace assay::reduce

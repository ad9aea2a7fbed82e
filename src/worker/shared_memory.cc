#include "worker/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace assay::worker {
namespace {

constexpr std::uint64_t kAlignment = 64;

struct Mapping {
  Mapping(void* mapped_data, std::size_t mapped_size) : data(mapped_data), size(mapped_size) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(data, size); }
  void* data;
  std::size_t size;
};

base::Error memory_error(const char* action) {
  return base::system_error(action, "shared memory", errno);
}

}  // namespace

base::Expected<std::uint64_t> SharedMemoryWriter::add(std::span<const std::byte> bytes) {
  const std::uint64_t offset = (size_ + kAlignment - 1) / kAlignment * kAlignment;
  if (bytes.empty()) return offset;
  if (!file_.valid()) {
    file_ = FileDescriptor(::memfd_create("assay", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file_.valid()) return base::fail(memory_error("cannot make it"));
  }
  size_ = offset + bytes.size();
  for (std::uint64_t at = offset; !bytes.empty();) {
    const std::size_t most = std::min<std::size_t>(bytes.size(), 1U << 30);
    const ssize_t count = ::pwrite(file_.get(), bytes.data(), most, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return base::fail(memory_error("cannot write to it"));
    at += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return offset;
}

base::Expected<FileDescriptor> SharedMemoryWriter::finish() && {
  if (file_.valid() &&
      ::fcntl(file_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) {
    return base::fail(memory_error("cannot seal it"));
  }
  return std::move(file_);
}

base::Expected<tensor::Buffer> map_shared_memory(const FileDescriptor& file) {
  if (!file.valid()) return tensor::Buffer();
  struct stat info = {};
  const int seals = ::fcntl(file.get(), F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return base::fail(base::ErrorKind::invalid_input, "what was sent as shared memory is none, or is not sealed");
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return tensor::Buffer();
  void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.get(), 0);
  if (data == MAP_FAILED) return base::fail(memory_error("cannot map it"));
  return tensor::Buffer({static_cast<const std::byte*>(data), size}, std::make_shared<const Mapping>(data, size));
}

}  // namespace assay::worker

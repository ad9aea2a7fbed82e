// If the sender truncated the file while the receiver reads it, the receiver would crash (SIGBUS), so the receiver
// requires the seal against that. F_SEAL_FUTURE_WRITE forbids later writes but lets the sender keep its own mapping.
// The receiver maps privately: an engine that writes to its inputs changes a copy.
#include "worker/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdint>

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

FileDescriptor make_memory_file() {
  return FileDescriptor(::memfd_create("assay", MFD_CLOEXEC | MFD_ALLOW_SEALING));
}

}  // namespace

base::Expected<std::shared_ptr<SharedRegion>> SharedRegion::create(std::size_t size) {
  FileDescriptor file = make_memory_file();
  if (!file.valid() || ::ftruncate(file.get(), static_cast<off_t>(size)) != 0) {
    return base::fail(memory_error("cannot allocate memory"));
  }
  void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (data == MAP_FAILED) return base::fail(memory_error("cannot map memory"));
  return std::shared_ptr<SharedRegion>(
      new SharedRegion(std::move(file), std::span(static_cast<std::byte*>(data), size)));
}

SharedRegion::~SharedRegion() {
  unmap();
}

void SharedRegion::unmap() {
  if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
  bytes_ = {};
}

// Works in small steps, because during one no other thread of this process can map or unmap memory.
void SharedRegion::take_pages(const std::stop_token& stop) {
  constexpr std::size_t kStep = 256U << 10;
  while (taken_ < bytes_.size() && !stop.stop_requested()) {
    const std::size_t length = std::min(kStep, bytes_.size() - taken_);
    if (::madvise(bytes_.data() + taken_, length, MADV_POPULATE_WRITE) != 0)
      return;  // before Linux 5.14, or out of memory
    taken_ += length;
  }
}

void SharedRegion::shrink(std::size_t size) {
  assert(size <= bytes_.size());
  if (size == bytes_.size() || ::ftruncate(file_.get(), static_cast<off_t>(size)) != 0) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t kept = (size + page - 1) / page * page;
  if (kept < bytes_.size()) ::munmap(bytes_.data() + kept, bytes_.size() - kept);
  bytes_ = bytes_.first(size);
  taken_ = std::min(taken_, kept);
}

SharedMemoryWriter::SharedMemoryWriter(std::shared_ptr<SharedRegion> region)
    : region_(std::move(region)), size_(region_ != nullptr ? region_->bytes().size() : 0) {}

base::Expected<std::uint64_t> SharedMemoryWriter::add(std::span<const std::byte> bytes) {
  if (region_ != nullptr && !bytes.empty()) {
    const auto begin = reinterpret_cast<std::uintptr_t>(region_->bytes().data());
    const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(bytes.data()) - begin;
    if (offset < region_->bytes().size()) return offset;
  }
  const std::uint64_t offset = (size_ + kAlignment - 1) / kAlignment * kAlignment;
  if (bytes.empty()) return offset;
  if (!file().valid()) {
    file_ = make_memory_file();
    if (!file_.valid()) return base::fail(memory_error("cannot allocate memory"));
  }
  size_ = offset + bytes.size();
  for (std::uint64_t at = offset; !bytes.empty();) {
    const std::size_t most = std::min<std::size_t>(bytes.size(), 1U << 30);
    const ssize_t count = ::pwrite(file().get(), bytes.data(), most, static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return base::fail(memory_error("cannot write to memory"));
    at += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return offset;
}

base::Expected<FileDescriptor> SharedMemoryWriter::finish() && {
  if (region_ != nullptr) file_ = std::move(region_->file_);
  if (!file_.valid()) return std::move(file_);
  constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (region_ != nullptr) {
    // The mapping may remain: unmapping takes long and can be done while the other process reads.
    if (::fcntl(file_.get(), F_ADD_SEALS, kSeals | F_SEAL_FUTURE_WRITE) == 0) return std::move(file_);
    region_->unmap();  // before Linux 5.1
  }
  if (::fcntl(file_.get(), F_ADD_SEALS, kSeals | F_SEAL_WRITE) != 0) {
    return base::fail(memory_error("cannot seal memory"));
  }
  return std::move(file_);
}

base::Expected<tensor::Buffer> map_shared_memory(const FileDescriptor& file) {
  if (!file.valid()) return tensor::Buffer();
  struct stat info = {};
  const int seals = ::fcntl(file.get(), F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return base::fail(base::ErrorKind::invalid_input, "the descriptor that was sent is not sealed shared memory");
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return tensor::Buffer();
  void* data = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.get(), 0);
  if (data == MAP_FAILED) return base::fail(memory_error("cannot map memory"));
  return tensor::Buffer({static_cast<const std::byte*>(data), size}, std::make_shared<const Mapping>(data, size));
}

}  // namespace assay::worker

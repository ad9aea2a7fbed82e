// Shares bytes between two processes in anonymous files (memfd). The files are sealed, so that the sender can't crash
// the receiver by truncating them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>

#include "base/error.h"
#include "tensor/tensor.h"
#include "worker/file_descriptor.h"

namespace assay::worker {

// Memory that is filled in place and then sent without a copy. No other process can see it before it is sent.
class SharedRegion {
 public:
  // Creates `size` zero bytes. Pages are allocated on first touch. Errors: io if memory isn't available.
  static base::Expected<std::shared_ptr<SharedRegion>> create(std::size_t size);
  SharedRegion(const SharedRegion&) = delete;
  SharedRegion& operator=(const SharedRegion&) = delete;
  ~SharedRegion();

  // The bytes must not be accessed after the region was sent.
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  // Allocates pages from front to back, continuing where the last call ended, until all are allocated or `stop` is
  // requested. Keeps their contents. Running it in another thread spares the thread that fills the pages most of the
  // cost of their first touch.
  void take_pages(const std::stop_token& stop);
  // Releases everything after the first `size` bytes. Asserts that the region isn't smaller.
  void shrink(std::size_t size);

 private:
  friend class SharedMemoryWriter;
  SharedRegion(FileDescriptor file, std::span<std::byte> bytes) : file_(std::move(file)), bytes_(bytes) {}
  void unmap();

  FileDescriptor file_;
  std::span<std::byte> bytes_;
  std::size_t taken_ = 0;  // bytes from the front whose pages are allocated
};

// Collects pieces of bytes in shared memory, each at an offset that is a multiple of 64, an alignment that engines use.
class SharedMemoryWriter {
 public:
  SharedMemoryWriter() = default;
  // Uses a region: pieces inside it aren't copied, others are appended to it. `region` may be null.
  explicit SharedMemoryWriter(std::shared_ptr<SharedRegion> region);

  // Copies the bytes unless they are in the region, and returns their offset. Errors: io if memory or descriptors run
  // out.
  base::Expected<std::uint64_t> add(std::span<const std::byte> bytes);
  // Seals the file, which can then only be changed through the region's bytes, and returns it. The descriptor isn't
  // valid() if no bytes were added.
  base::Expected<FileDescriptor> finish() &&;

 private:
  [[nodiscard]] const FileDescriptor& file() const { return region_ != nullptr ? region_->file_ : file_; }

  std::shared_ptr<SharedRegion> region_;
  FileDescriptor file_;  // used if there is no region
  std::uint64_t size_ = 0;
};

// Maps a sealed file; an invalid descriptor yields an empty buffer. Writing to the mapping only changes private copies
// of its pages. Errors: invalid_input if it isn't a file or isn't sealed against truncation; io if it can't be mapped.
base::Expected<tensor::Buffer> map_shared_memory(const FileDescriptor& file);

}  // namespace assay::worker

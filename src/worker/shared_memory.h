// Bytes that pass between two processes without going through a pipe: anonymous files (memfd) that are sealed, so that
// the side that reads them cannot be hurt by the side that wrote them.
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

// Memory to be filled in place and then sent as it is. Until it is sent, nobody else can see it.
class SharedRegion {
 public:
  // All zeros. The pages are taken when they are touched. Errors: io where it cannot be had.
  static base::Expected<std::shared_ptr<SharedRegion>> create(std::size_t size);
  SharedRegion(const SharedRegion&) = delete;
  SharedRegion& operator=(const SharedRegion&) = delete;
  ~SharedRegion();

  // Once it was sent they must not be touched any more.
  [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
  // Takes the pages, front to back from where the last call ended, until all are there or somebody asks to stop: in a
  // thread beside the one that fills them, which costs that one less than each page at its first touch. What is in them
  // stays.
  void take_pages(const std::stop_token& stop);
  // Gives back what is beyond the first `size` bytes, which there are.
  void shrink(std::size_t size);

 private:
  friend class SharedMemoryWriter;
  SharedRegion(FileDescriptor file, std::span<std::byte> bytes) : file_(std::move(file)), bytes_(bytes) {}
  void unmap();

  FileDescriptor file_;
  std::span<std::byte> bytes_;
  std::size_t taken_ = 0;  // bytes from the front whose pages are there
};

// Pieces of bytes one behind the other, each at a multiple of 64 bytes from the start, as engines like their tensors.
class SharedMemoryWriter {
 public:
  SharedMemoryWriter() = default;
  // Pieces that lie in the region stay where they are, others come behind it. Null: there is none.
  explicit SharedMemoryWriter(std::shared_ptr<SharedRegion> region);

  // Copies the bytes; gives the offset where they lie. Errors: io where memory or descriptors ran out.
  base::Expected<std::uint64_t> add(std::span<const std::byte> bytes);
  // Seals what was added: it can no longer be changed, by nobody but through a region's bytes. Without any bytes there
  // is no file (not valid()).
  base::Expected<FileDescriptor> finish() &&;

 private:
  [[nodiscard]] const FileDescriptor& file() const { return region_ != nullptr ? region_->file_ : file_; }

  std::shared_ptr<SharedRegion> region_;
  FileDescriptor file_;  // where there is no region
  std::uint64_t size_ = 0;
};

// All bytes of a sealed file; an invalid descriptor gives none. Somebody who writes to them gets a private copy of the
// page. Errors: invalid_input for what is no file, or not sealed against becoming shorter while we read.
base::Expected<tensor::Buffer> map_shared_memory(const FileDescriptor& file);

}  // namespace assay::worker

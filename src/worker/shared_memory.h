// Bytes that pass between two processes without going through a pipe: anonymous files (memfd) that are sealed, so that
// the side that reads them cannot be hurt by the side that wrote them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/error.h"
#include "tensor/tensor.h"
#include "worker/file_descriptor.h"

namespace assay::worker {

// Pieces of bytes one behind the other, each at a multiple of 64 bytes from the start, as engines like their tensors.
class SharedMemoryWriter {
 public:
  // Copies the bytes; gives the offset where they lie. Errors: io where memory or descriptors ran out.
  base::Expected<std::uint64_t> add(std::span<const std::byte> bytes);
  // Seals what was added: it can no longer be changed, by nobody. Without any bytes there is no file (not valid()).
  base::Expected<FileDescriptor> finish() &&;

 private:
  FileDescriptor file_;
  std::uint64_t size_ = 0;
};

// All bytes of a sealed file; an invalid descriptor gives none. Somebody who writes to them gets a private copy of the
// page. Errors: invalid_input for what is no file, or not sealed against becoming shorter while we read.
base::Expected<tensor::Buffer> map_shared_memory(const FileDescriptor& file);

}  // namespace assay::worker

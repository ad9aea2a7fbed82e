#include "backend/tensorrt/sdk/output_buffer.h"

#include "backend/tensorrt/sdk/dimensions.h"

namespace assay::backend {

void* OutputBuffer::reallocateOutputAsync(char const* /*name*/, void* /*current*/, std::uint64_t size,
                                          std::uint64_t /*alignment*/, cudaStream_t /*stream*/) {
  driver_->use_in_this_thread();
  auto reserved = memory_.reserve(size);
  if (reserved) return memory_.pointer();
  refused_ = std::move(reserved).error();
  return nullptr;
}

void OutputBuffer::notifyShape(char const* /*name*/, nvinfer1::Dims const& dims) noexcept {
  shape_ = to_shape(dims);
}

void OutputBuffer::begin() {
  shape_.reset();
  refused_.reset();
}

}  // namespace assay::backend

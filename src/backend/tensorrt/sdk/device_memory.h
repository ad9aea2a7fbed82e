// Memory of the GPU, allocated through the driver.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "backend/tensorrt/cuda_driver.h"

namespace assay::backend {

// Grows and never shrinks, so that repeated runs needn't allocate. Frees its memory on destruction. The driver must
// outlive it.
class DeviceMemory {
 public:
  explicit DeviceMemory(const CudaDriver& driver) : driver_(&driver) {}
  ~DeviceMemory() { release(); }
  DeviceMemory(DeviceMemory&& other) noexcept
      : driver_(other.driver_), address_(std::exchange(other.address_, 0)), size_(std::exchange(other.size_, 0)) {}
  DeviceMemory& operator=(DeviceMemory&&) = delete;

  // Makes at least `bytes` available; the contents are lost if that needs other memory. Even empty tensors need an
  // address, so there is always some. Returns a Refused (out of memory) if the GPU has none left.
  Answer<void> reserve(std::size_t bytes) {
    if (address_ != 0 && bytes <= size_) return {};
    release();
    const std::size_t size = bytes == 0 ? 1 : bytes;
    ASSAY_TRY(driver_->check(driver_->api().cuMemAlloc_v2(&address_, size), worker::Phase::run,
                             fmt::format("allocate {} bytes on the GPU", size)));
    size_ = size;
    return {};
  }

  [[nodiscard]] cuda::Pointer address() const { return address_; }
  // The address as TensorRT takes it.
  [[nodiscard]] void* pointer() const { return reinterpret_cast<void*>(address_); }  // NOLINT
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void release() {
    if (address_ != 0) driver_->api().cuMemFree_v2(address_);
    address_ = 0;
    size_ = 0;
  }

  const CudaDriver* driver_;
  cuda::Pointer address_ = 0;
  std::size_t size_ = 0;
};

}  // namespace assay::backend

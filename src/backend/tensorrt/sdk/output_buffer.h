// The memory of one output. TensorRT asks for it during a run, when it knows the output's size, and tells the shape: so
// outputs whose shapes depend on values need no special case.
#pragma once

#include <NvInferRuntime.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "backend/tensorrt/sdk/device_memory.h"

namespace assay::backend {

class OutputBuffer final : public nvinfer1::IOutputAllocator {
 public:
  explicit OutputBuffer(const CudaDriver& driver) : driver_(&driver), memory_(driver) {}

  void* reallocateOutputAsync(char const* /*name*/, void* /*current*/, std::uint64_t size, std::uint64_t /*alignment*/,
                              cudaStream_t /*stream*/) override;  // the driver aligns to 256 bytes
  void notifyShape(char const* /*name*/, nvinfer1::Dims const& dims) noexcept override;

  // Forgets the shape and errors of the last run.
  void begin();
  // Returns the shape, or nullopt if TensorRT didn't tell it.
  [[nodiscard]] const std::optional<std::vector<std::int64_t>>& shape() const { return shape_; }
  // Returns why memory couldn't be allocated, or nothing.
  [[nodiscard]] const std::optional<worker::Refused>& refused() const { return refused_; }
  [[nodiscard]] const DeviceMemory& memory() const { return memory_; }

 private:
  const CudaDriver* driver_;
  DeviceMemory memory_;
  std::optional<std::vector<std::int64_t>> shape_;
  std::optional<worker::Refused> refused_;
};

}  // namespace assay::backend

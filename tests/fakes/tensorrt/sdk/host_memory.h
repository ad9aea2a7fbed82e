// A blob that the library returns and the caller deletes.
#pragma once

#include <string>
#include <utility>

#include "handle.h"
#include "infer_stubs.h"

namespace fake_tensorrt {

class HostMemory final : public nvinfer1::apiv::stubs::VHostMemory {
 public:
  explicit HostMemory(std::string bytes) : bytes_(std::move(bytes)) { ++count; }
  ~HostMemory() override { --count; }
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
  void* data() const noexcept override { return bytes_.data(); }
  std::size_t size() const noexcept override { return bytes_.size(); }
  nvinfer1::DataType type() const noexcept override { return nvinfer1::DataType::kINT8; }

  static inline int count = 0;  // of those that exist

 private:
  mutable std::string bytes_;
};

inline nvinfer1::IHostMemory* make_host_memory(std::string bytes) {
  return new Handle<nvinfer1::IHostMemory, HostMemory>(std::move(bytes));
}

}  // namespace fake_tensorrt

// Asks the fake of CUDA's driver (fake_cuda.cc) what the real TensorRT would notice by faults of the GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace fake_tensorrt {

// Returns whether the address is in memory that the driver has allocated; nothing if the process has no fake driver.
[[nodiscard]] std::optional<bool> is_on_gpu(const void* address);
// Returns false if the driver has no memory left.
[[nodiscard]] bool has_memory();
// A copy of these bytes in the GPU's memory. If the process has no fake driver, the bytes themselves.
class DeviceCopy {
 public:
  explicit DeviceCopy(const std::vector<std::byte>& bytes);
  ~DeviceCopy();
  DeviceCopy(const DeviceCopy&) = delete;
  DeviceCopy& operator=(const DeviceCopy&) = delete;
  [[nodiscard]] const void* address() const { return address_; }

 private:
  const void* address_;
  std::uint64_t memory_ = 0;  // of the GPU; 0: none
};
// Calls a function of the caller's in a thread in which no GPU is current. TensorRT's headers promise no other.
void in_another_thread(const std::function<void()>& function);
// Lets all further calls of the driver fail with this code.
void break_driver(int code);

}  // namespace fake_tensorrt

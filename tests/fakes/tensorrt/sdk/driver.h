// Asks the fake of CUDA's driver (fake_cuda.cc) what the real TensorRT would notice by faults of the GPU.
#pragma once

#include <functional>
#include <optional>

namespace fake_tensorrt {

// Returns whether the address is in memory that the driver has allocated; nothing if the process has no fake driver.
[[nodiscard]] std::optional<bool> is_on_gpu(const void* address);
// Returns false if the driver has no memory left.
[[nodiscard]] bool has_memory();
// Calls a function of the caller's in a thread in which no GPU is current. TensorRT's headers promise no other.
void in_another_thread(const std::function<void()>& function);
// Lets all further calls of the driver fail with this code.
void break_driver(int code);

}  // namespace fake_tensorrt

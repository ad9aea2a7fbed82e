#include "driver.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <thread>

namespace fake_tensorrt {
namespace {

template <class Function>
Function* find(const char* name) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return driver == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(driver, name));
}

}  // namespace

std::optional<bool> is_on_gpu(const void* address) {
  auto* owns = find<bool(const void*)>("assay_fake_cuda_owns");
  return owns == nullptr ? std::nullopt : std::optional(owns(address));
}

bool has_memory() {
  auto* allocate = find<int(std::uint64_t*, std::size_t)>("cuMemAlloc_v2");
  auto* release = find<int(std::uint64_t)>("cuMemFree_v2");
  std::uint64_t address = 0;
  if (allocate == nullptr || release == nullptr) return true;
  return allocate(&address, 1) == 0 && release(address) == 0;
}

DeviceCopy::DeviceCopy(const std::vector<std::byte>& bytes) : address_(bytes.data()) {
  auto* allocate = find<int(std::uint64_t*, std::size_t)>("cuMemAlloc_v2");
  auto* copy = find<int(std::uint64_t, const void*, std::size_t, void*)>("cuMemcpyHtoDAsync_v2");
  if (allocate == nullptr || copy == nullptr || allocate(&memory_, bytes.size() + 1) != 0) return;
  copy(memory_, bytes.data(), bytes.size(), nullptr);
  address_ = reinterpret_cast<const void*>(memory_);
}

DeviceCopy::~DeviceCopy() {
  if (memory_ != 0) find<int(std::uint64_t)>("cuMemFree_v2")(memory_);
}

void in_another_thread(const std::function<void()>& function) {
  std::thread(function).join();
}

void break_driver(int code) {
  if (auto* fail = find<void(int)>("assay_fake_cuda_breaks")) fail(code);
}

}  // namespace fake_tensorrt

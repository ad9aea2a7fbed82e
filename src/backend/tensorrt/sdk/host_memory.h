// Memory of the host for tensors that TensorRT reads and writes there: shapes, and values that shapes depend on.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace assay::backend {

// Grows and never shrinks. Aligned to 256 bytes, which TensorRT wants of every address. Even empty tensors need an
// address, so there is always some memory after reserve().
class HostMemory {
 public:
  // Makes at least `bytes` available; the contents are lost if that needs other memory. Throws std::bad_alloc.
  void reserve(std::size_t bytes) {
    if (memory_ != nullptr && bytes <= size_) return;
    size_ = bytes == 0 ? 1 : bytes;
    memory_.reset(static_cast<std::byte*>(::operator new(size_, kAlignment)));
  }

  [[nodiscard]] std::byte* pointer() const { return memory_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  static constexpr std::align_val_t kAlignment{256};
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, kAlignment); }
  };

  std::unique_ptr<std::byte, Free> memory_;
  std::size_t size_ = 0;
};

}  // namespace assay::backend

// Shared memory for the outputs of a run, whose pages a thread takes while an engine has something else to do: new
// pages cost more than most of what is computed into them.
#pragma once

#include <cstdint>
#include <memory>
#include <thread>

#include "worker/shared_memory.h"

namespace assay::backend {

class OutputMemory {
 public:
  static constexpr std::uint64_t kWorthIt = 4 << 20;  // bytes

  OutputMemory() = default;  // none
  // Of `size` bytes; none where that is less than kWorthIt, or so much that it may not fit.
  explicit OutputMemory(std::uint64_t size);

  [[nodiscard]] explicit operator bool() const { return region_ != nullptr; }
  [[nodiscard]] const std::shared_ptr<worker::SharedRegion>& region() const { return region_; }
  // Gives back what is beyond `size`. False where there is less; then nothing happens.
  bool cut(std::uint64_t size);
  // From here on pages are taken by those who touch them.
  void stop() { pages_ = {}; }

 private:
  void begin();

  std::shared_ptr<worker::SharedRegion> region_;
  std::jthread pages_;  // ends before the region does
};

}  // namespace assay::backend

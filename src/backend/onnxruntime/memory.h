// Shared memory for the outputs of a run. A thread allocates its pages while the engine is busy with other work,
// because allocating pages often costs more time than computing their contents.
#pragma once

#include <cstdint>
#include <memory>
#include <thread>

#include "worker/shared_memory.h"

namespace assay::backend {

class OutputMemory {
 public:
  static constexpr std::uint64_t kWorthIt = 4 << 20;  // bytes

  OutputMemory() = default;  // no memory
  // Allocates `size` bytes, or none if that is less than kWorthIt or might not fit in memory.
  explicit OutputMemory(std::uint64_t size);

  [[nodiscard]] explicit operator bool() const { return region_ != nullptr; }
  [[nodiscard]] const std::shared_ptr<worker::SharedRegion>& region() const { return region_; }
  // Releases everything after the first `size` bytes. Returns false, and does nothing, if there are fewer bytes.
  bool cut(std::uint64_t size);
  // Stops the thread. Pages are then allocated on first touch.
  void stop() { pages_ = {}; }

 private:
  void begin();

  std::shared_ptr<worker::SharedRegion> region_;
  std::jthread pages_;  // declared last, so that it ends before the region is released
};

}  // namespace assay::backend

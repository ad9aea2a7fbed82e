// Bounds for one piece of work.
#pragma once

#include <cstdint>
#include <optional>

namespace assay::worker {

struct Limits {
  std::optional<double> time_s;  // wall time; absent: no bound
  std::optional<std::uint64_t>
      memory_bytes;  // of memory that its processes hold together, mapped files included; absent: no bound
};

}  // namespace assay::worker

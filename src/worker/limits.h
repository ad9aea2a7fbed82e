// Limits for one piece of work in another process.
#pragma once

#include <cstdint>
#include <optional>

namespace assay::worker {

struct Limits {
  // Wall time in seconds; absent if unlimited.
  std::optional<double> time_s;
  // Resident memory of all its processes together, including mapped files; absent if unlimited.
  std::optional<std::uint64_t> memory_bytes;
};

}  // namespace assay::worker

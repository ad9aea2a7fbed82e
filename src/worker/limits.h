// Bounds for one piece of work.
#pragma once

#include <cstdint>
#include <optional>

namespace assay::worker {

struct Limits {
  // Wall time; absent: no bound.
  std::optional<double> time_s;
  // Resident memory of all its processes together, files that they have mapped included; absent: no bound.
  std::optional<std::uint64_t> memory_bytes;
};

}  // namespace assay::worker

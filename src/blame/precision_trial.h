// How a run ended of which some nodes were kept in float32.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "base/error.h"

namespace assay::blame {

// The error of outputs that can't be compared, because the run failed, or because values are NaN or infinite.
inline constexpr double kNotComparable = std::numeric_limits<double>::max();

struct PrecisionTrial {
  bool passes = false;
  // The error of the outputs: the norm of the difference, relative to that of the values. Absent if it isn't known.
  std::optional<double> error = std::nullopt;
};

// Runs with these numbers in float32. They are ascending. A run that can't be judged doesn't pass.
using PrecisionTest = std::function<base::Expected<PrecisionTrial>(const std::vector<int>& kept)>;

}  // namespace assay::blame

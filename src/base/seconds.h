// Converts between clock times and the seconds that users read and give.
#pragma once

#include <algorithm>
#include <chrono>

namespace assay::base {

// Clamps to 0 to 1e9 s (30 years), because adding more to a time point would overflow the clock.
inline std::chrono::steady_clock::duration to_duration(double seconds) {
  constexpr double kLongest = 1e9;
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::clamp(seconds, 0.0, kLongest)));
}

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace assay::base

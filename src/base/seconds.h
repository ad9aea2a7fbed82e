// Seconds as users give them.
#pragma once

#include <algorithm>
#include <chrono>

namespace assay::base {

// Kept between 0 and 1e9 s, 30 years: more would overflow the clock that it is added to.
inline std::chrono::steady_clock::duration to_duration(double seconds) {
  constexpr double kLongest = 1e9;
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::clamp(seconds, 0.0, kLongest)));
}

}  // namespace assay::base

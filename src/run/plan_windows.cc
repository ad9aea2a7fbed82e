#include "run/plan_windows.h"

namespace assay::run {

std::vector<TensorRange> plan_windows(std::span<const std::uint64_t> bytes, std::uint64_t budget) {
  std::vector<TensorRange> windows;
  std::uint64_t room = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (windows.empty() || bytes[i] > room) {
      windows.push_back({i, i});
      room = budget;
    }
    windows.back().end = i + 1;
    room -= bytes[i] < room ? bytes[i] : room;
  }
  return windows;
}

}  // namespace assay::run

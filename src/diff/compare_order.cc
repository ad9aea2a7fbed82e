// The elements that keep their order are a longest increasing subsequence, found by patience sorting in O(n log n). All
// others have moved.
#include "diff/compare_order.h"

#include <algorithm>

namespace assay::diff {

std::vector<std::size_t> find_moved(const std::vector<int>& positions) {
  constexpr auto kNothing = static_cast<std::size_t>(-1);
  std::vector<std::size_t> ends;  // ends[k]: the last element of the best subsequence of length k + 1
  std::vector<std::size_t> before(positions.size(), kNothing);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto at = std::ranges::lower_bound(ends, positions[i], {}, [&](std::size_t end) { return positions[end]; });
    if (at != ends.begin()) before[i] = *(at - 1);
    if (at == ends.end()) {
      ends.push_back(i);
    } else {
      *at = i;
    }
  }
  std::vector<bool> stays(positions.size());
  for (std::size_t i = ends.empty() ? kNothing : ends.back(); i != kNothing; i = before[i]) stays[i] = true;
  std::vector<std::size_t> moved;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!stays[i]) moved.push_back(i);
  }
  return moved;
}

}  // namespace assay::diff

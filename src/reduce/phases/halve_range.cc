#include "reduce/phases/halve_range.h"

#include <algorithm>
#include <cstdlib>

namespace assay::reduce {
namespace {

constexpr std::size_t kUnresolvedAllowed = 12;  // in one window; behind that the search is content with what it has

}  // namespace

std::optional<int> HalveRange::next() const {
  const int low = std::min(pass_, fail_) + 1;
  const int high = std::max(pass_, fail_) - 1;
  if (low > high || unresolved_.size() > kUnresolvedAllowed) return std::nullopt;
  const int middle = low + (high - low) / 2;
  // Neighbours of what cannot be judged often cannot be judged either: the steps away from it grow.
  const int span = (high - low) / 2 + 1;
  for (int step = 0; step <= span; step += unresolved_.size() > 2 ? 1 + step : 1) {
    for (const int position : {middle + step, middle - step}) {
      if (position >= low && position <= high && !unresolved_.contains(position)) return position;
    }
  }
  return std::nullopt;
}

void HalveRange::learn(int position, Verdict::Kind kind) {
  if (kind == Verdict::Kind::unresolved) {
    unresolved_.insert(position);
    return;
  }
  (kind == Verdict::Kind::fails ? fail_ : pass_) = position;
  std::erase_if(unresolved_,
                [&](int other) { return other <= std::min(pass_, fail_) || other >= std::max(pass_, fail_); });
}

}  // namespace assay::reduce

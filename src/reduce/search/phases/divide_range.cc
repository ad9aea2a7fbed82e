// Unresolved positions are remembered only while they lie inside the window. After too many of them in one window, the
// search ends with the failing position found so far.
#include "reduce/search/phases/divide_range.h"

#include <algorithm>
#include <cmath>

#include "base/at.h"

namespace assay::reduce {
namespace {

constexpr std::size_t kUnresolvedAllowed = 12;  // in one window; with more, the search ends

}  // namespace

double DivideRange::place(int position) const {
  return scale_ ? (*scale_)[base::at(position)] : position;
}

// Returns the position from low to high that is nearest to the golden section.
int DivideRange::section(int low, int high) const {
  const double wanted = place(pass_) + (place(fail_) - place(pass_)) * kGoldenSection;
  if (!scale_) return std::clamp(static_cast<int>(std::lround(wanted)), low, high);
  const auto begin = scale_->begin();
  const auto at = std::lower_bound(begin + low, begin + high, wanted);
  const bool nearer_below = at != begin + low && wanted - *std::prev(at) < *at - wanted;
  return static_cast<int>(at - begin) - (nearer_below ? 1 : 0);
}

std::optional<int> DivideRange::next() const {
  const int low = std::min(pass_, fail_) + 1;
  const int high = std::max(pass_, fail_) - 1;
  if (low > high || unresolved_.size() > kUnresolvedAllowed) return std::nullopt;
  const int section = this->section(low, high);
  // Neighbours of an unresolved position are often unresolved, too, so the steps away from it grow.
  const int span = high - low + 1;
  for (int step = 0; step <= span; step += unresolved_.size() > 2 ? 1 + step : 1) {
    for (const int position : {section + step, section - step}) {
      if (position >= low && position <= high && !unresolved_.contains(position)) return position;
    }
  }
  return std::nullopt;
}

double DivideRange::chance(int position) const {
  return std::abs((place(position) - place(pass_)) / (place(fail_) - place(pass_)));
}

void DivideRange::learn(int position, Verdict::Kind kind) {
  if (kind == Verdict::Kind::unresolved) {
    unresolved_.insert(position);
    return;
  }
  (kind == Verdict::Kind::fails ? fail_ : pass_) = position;
  std::erase_if(unresolved_,
                [&](int other) { return other <= std::min(pass_, fail_) || other >= std::max(pass_, fail_); });
}

}  // namespace assay::reduce

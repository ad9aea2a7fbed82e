// The middle of an odd window is rounded towards the side that hasn't been tried for longer: down after a failure, up
// after a pass.
#include "reduce/search/position_search.h"

namespace assay::reduce {

PositionSearch::PositionSearch(Order order, int count, Toward toward)
    : order_(order), count_(count), toward_(toward), high_(count), middle_(count / 2), has_ended_(count == 0) {}

std::optional<int> PositionSearch::next() const {
  if (has_ended_) return std::nullopt;
  if (order_ == Order::bisect) return middle_;
  return toward_ == Toward::first ? count_ - 1 - steps_ : steps_;
}

void PositionSearch::learn(bool fails) {
  if (has_ended_) return;
  if (fails) found_ = next();
  ++steps_;
  if (order_ == Order::linear) {
    has_ended_ = steps_ == count_;
    return;
  }
  const bool goes_down = fails == (toward_ == Toward::first);
  (goes_down ? high_ : low_) = middle_;
  middle_ = (low_ + high_ + (fails ? 0 : 1)) / 2;
  has_ended_ = high_ - low_ <= 1;
}

int PositionSearch::most_steps() const {
  if (order_ == Order::linear) return count_;
  int steps = 1;
  while ((1 << steps) < count_) ++steps;
  return steps;
}

}  // namespace assay::reduce

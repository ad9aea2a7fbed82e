// Searches over positions 0 to count-1, some of which fail: bisection, and one position after the other.
//
// Both move towards one end and find the failing position closest to it. Bisection relies on monotony only for speed:
// the position that it returns did fail.
#pragma once

#include <optional>

namespace assay::reduce {

enum class Toward { first, last };  // the end at which candidates are smallest

class PositionSearch {
 public:
  enum class Order {
    // Tries at most ceil(log2(count)) positions, and one if count is 1. The first position (the last for Toward::last)
    // is tried only if count is 1: Polygraphy takes these very steps, and its replay files number them.
    bisect,
    linear,  // tries all positions, the largest candidate first
  };
  PositionSearch(Order order, int count, Toward toward);

  // Returns the position to try next; the same until learn() is called. Returns nothing if the search has ended.
  [[nodiscard]] std::optional<int> next() const;
  void learn(bool fails);
  // Returns the failing position that was found last.
  [[nodiscard]] std::optional<int> found() const { return found_; }
  // Returns the largest number of positions that will be tried.
  [[nodiscard]] int most_steps() const;

 private:
  Order order_;
  int count_;
  Toward toward_;
  std::optional<int> found_;
  int steps_ = 0;
  // Bisection keeps a window [low, high).
  int low_ = 0;
  int high_;
  int middle_;
  bool has_ended_;
};

}  // namespace assay::reduce

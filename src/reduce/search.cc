// Bisection keeps a window [low, high). The middle of an odd window is rounded towards the side that has not been tried
// the longer: down after a failure, up after a pass.
#include "reduce/search.h"

namespace assay::reduce {

base::Expected<std::optional<int>> bisect(int count, Toward toward, const Try& fails) {
  std::optional<int> found;
  int low = 0;
  int high = count;
  int middle = count / 2;
  while (count > 0) {
    ASSAY_ASSIGN(const bool failed, fails(middle));
    if (failed) found = middle;
    const bool down = failed == (toward == Toward::first);
    (down ? high : low) = middle;
    middle = (low + high + (failed ? 0 : 1)) / 2;
    if (high - low <= 1) break;
  }
  return found;
}

base::Expected<std::optional<int>> linear(int count, Toward toward, const Try& fails) {
  std::optional<int> found;
  for (int step = 0; step < count; ++step) {
    const int position = toward == Toward::first ? count - 1 - step : step;
    ASSAY_ASSIGN(const bool failed, fails(position));
    if (failed) found = position;
  }
  return found;
}

int bisect_steps(int count) {
  int steps = 1;
  while ((1 << steps) < count) ++steps;
  return steps;
}

base::Expected<std::optional<int>> search(Mode mode, int count, Toward toward, const Try& fails) {
  return mode == Mode::bisect ? bisect(count, toward, fails) : linear(count, toward, fails);
}

}  // namespace assay::reduce

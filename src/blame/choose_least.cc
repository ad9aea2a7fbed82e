#include "blame/choose_least.h"

#include <algorithm>

#include "reduce/search/delta_debugging.h"

namespace assay::blame {
namespace {

base::Expected<bool> passes_with_first(std::size_t count, const std::vector<int>& order, const ChoiceTest& test) {
  std::vector<int> chosen(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
  std::ranges::sort(chosen);
  return test(chosen);
}

}  // namespace

base::Expected<std::vector<int>> choose_least(const std::vector<Element>& start, const ChoiceTest& test) {
  std::vector<double> needed;
  for (const Element& element : start) needed.push_back(element.needed);
  reduce::DeltaDebugging search(std::move(needed));
  const auto numbers = [&](const std::vector<int>& positions) {
    std::vector<int> chosen;
    for (const int position : positions) chosen.push_back(start[static_cast<std::size_t>(position)].number);
    std::ranges::sort(chosen);
    return chosen;
  };
  while (!search.next().empty()) {
    std::vector<int> rest;
    std::ranges::set_difference(search.remaining(), search.next(), std::back_inserter(rest));
    ASSAY_ASSIGN(const bool passes, test(numbers(rest)));
    search.learn(passes);
  }
  return numbers(search.remaining());
}

base::Expected<std::size_t> bisect_prefix(const std::vector<int>& order, const ChoiceTest& test) {
  std::size_t fails = 0;
  std::size_t passes = order.size();
  while (passes - fails > 1) {
    const std::size_t middle = fails + (passes - fails) / 2;
    ASSAY_ASSIGN(const bool passed, passes_with_first(middle, order, test));
    (passed ? passes : fails) = middle;
  }
  return passes;
}

base::Expected<std::size_t> extend_prefix(const std::vector<int>& order, const ChoiceTest& test) {
  for (std::size_t count = 1; count < order.size(); ++count) {
    ASSAY_ASSIGN(const bool passed, passes_with_first(count, order, test));
    if (passed) return count;
  }
  return order.size();
}

}  // namespace assay::blame

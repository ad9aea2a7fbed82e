#include "blame/choose_least.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/at.h"
#include "reduce/search/delta_debugging.h"

namespace assay::blame {
namespace {

base::Expected<bool> passes_with_first(std::size_t count, const std::vector<int>& order, const ChoiceTest& test) {
  std::vector<int> chosen(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
  std::ranges::sort(chosen);
  return test(chosen);
}

// Returns the elements of `start` at these positions, ascending.
std::vector<int> numbers_at(const std::vector<int>& positions, const std::vector<int>& start) {
  std::vector<int> numbers;
  for (const int position : positions) numbers.push_back(start[base::at(position)]);
  std::ranges::sort(numbers);
  return numbers;
}

base::Expected<std::vector<int>> choose(reduce::DeltaDebugging search, const std::vector<int>& start,
                                        const ChoiceTest& test) {
  while (!search.next().empty()) {
    std::vector<int> rest;
    std::ranges::set_difference(search.remaining(), search.next(), std::back_inserter(rest));
    ASSAY_ASSIGN(const bool passes, test(numbers_at(rest, start)));
    search.learn(passes);
  }
  return numbers_at(search.remaining(), start);
}

}  // namespace

base::Expected<std::vector<int>> choose_least(const std::vector<Element>& start, const ChoiceTest& test) {
  std::vector<double> needed;
  std::vector<int> numbers;
  for (const Element& element : start) {
    needed.push_back(element.needed);
    numbers.push_back(element.number);
  }
  return choose(reduce::DeltaDebugging(std::move(needed)), numbers, test);
}

base::Expected<std::vector<int>> choose_least(const std::vector<int>& start, const ChoiceTest& test) {
  return choose(reduce::DeltaDebugging::without_prior(start.size()), start, test);
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

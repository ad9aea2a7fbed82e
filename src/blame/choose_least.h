// Finds a smallest choice of things to switch off, or to keep in float32, with which a run passes.
//
// Which things are chosen is the only difference between runs, so the searches know neither engines nor models: a test
// judges a choice, and costs a run.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "base/error.h"

namespace assay::blame {

// Returns whether a run with these elements chosen passes. They are ascending numbers. A run that can't be judged
// doesn't pass.
using ChoiceTest = std::function<base::Expected<bool>(const std::vector<int>& chosen)>;

struct Element {
  int number = 0;
  double needed = 0.5;  // the prior probability that the choice needs it, in (0, 1)
};

// Returns elements of `start` that pass together, ascending. None of them can be left out: each was tried alone against
// the remaining ones. The test must pass if all of `start` is chosen, and fail if nothing is. Uses
// reduce::DeltaDebugging. Errors: those of the test.
base::Expected<std::vector<int>> choose_least(const std::vector<Element>& start, const ChoiceTest& test);

// The same for numbers of which nothing is known: perhaps few are needed, perhaps most. The first ones are left out
// first.
base::Expected<std::vector<int>> choose_least(const std::vector<int>& start, const ChoiceTest& test);

// The same for values of any type, each as likely to be needed as the others. Choices have the order of `start`. `test`
// takes a choice as std::vector<Value>, and returns base::Expected<bool>.
template <class Value, class Test>
base::Expected<std::vector<Value>> choose_least_of(const std::vector<Value>& start, const Test& test) {
  std::vector<Element> elements;
  for (std::size_t i = 0; i < start.size(); ++i) {
    elements.push_back({.number = static_cast<int>(i), .needed = 1.0 / static_cast<double>(start.size() + 1)});
  }
  const auto values = [&](const std::vector<int>& numbers) {
    std::vector<Value> chosen;
    for (const int number : numbers) chosen.push_back(start[static_cast<std::size_t>(number)]);
    return chosen;
  };
  const ChoiceTest passes = [&](const std::vector<int>& numbers) { return test(values(numbers)); };
  ASSAY_ASSIGN(const std::vector<int> least, choose_least(elements, passes));
  return values(least);
}

// Return the smallest n for which the first n elements of `order` pass. The test must pass if all are chosen, and fail
// if none is. bisect_prefix() halves the range, and so assumes that more elements never harm; extend_prefix() adds one
// element after the other. Errors: those of the test.
base::Expected<std::size_t> bisect_prefix(const std::vector<int>& order, const ChoiceTest& test);
base::Expected<std::size_t> extend_prefix(const std::vector<int>& order, const ChoiceTest& test);

}  // namespace assay::blame

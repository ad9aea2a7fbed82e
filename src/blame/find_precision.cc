#include "blame/find_precision.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "blame/choose_least.h"
#include "blame/rank_by_error.h"

namespace assay::blame {
namespace {

constexpr double kSuspected = 0.5;  // if all numbers are searched

// Searches all numbers if their errors aren't known.
base::Expected<std::vector<int>> search_all(int nodes, const std::vector<int>& suspects, const ChoiceTest& test) {
  std::vector<Element> elements;
  for (int node = 0; node < nodes; ++node) {
    const bool suspected = std::ranges::binary_search(suspects, node);
    elements.push_back({.number = node, .needed = suspected ? kSuspected : 1.0 / (nodes + 1)});
  }
  return choose_least(elements, test);
}

// Searches the first numbers, as many as are enough. Leaves out those with the smallest errors first. But the very last
// one comes last: the test has just failed without it.
base::Expected<std::vector<int>> search_ranked(std::vector<int> ranked, const ChoiceTest& test) {
  ASSAY_ASSIGN(const std::size_t count, bisect_prefix(ranked, test));
  ranked.resize(count);
  std::ranges::reverse(ranked);
  std::ranges::rotate(ranked, std::next(ranked.begin()));
  return choose_least(ranked, test);
}

// Searches the first numbers, or the last ones, as many as are enough.
base::Expected<std::vector<int>> search_prefix(std::vector<int> order, const PrecisionOptions& options,
                                               const ChoiceTest& test) {
  if (options.reverse) std::ranges::reverse(order);
  const auto search = options.mode == PrecisionMode::bisect ? bisect_prefix : extend_prefix;
  ASSAY_ASSIGN(const std::size_t count, search(order, test));
  order.resize(count);
  std::ranges::sort(order);
  return order;
}

}  // namespace

base::Status find_precision(int nodes, const std::vector<int>& suspects, const PrecisionOptions& options,
                            const PrecisionTest& test, PrecisionFindings& found) {
  found = {};
  const PrecisionTest counted = [&](const std::vector<int>& kept) -> base::Expected<PrecisionTrial> {
    ++found.runs;
    ASSAY_ASSIGN(const PrecisionTrial trial, test(kept));
    if (trial.passes && (!found.passes || kept.size() < found.kept.size())) found.kept = kept;
    found.passes = found.passes || trial.passes;
    return trial;
  };
  const ChoiceTest passes = [&](const std::vector<int>& kept) -> base::Expected<bool> {
    ASSAY_ASSIGN(const PrecisionTrial trial, counted(kept));
    return trial.passes;
  };
  ASSAY_ASSIGN(PrecisionTrial first, counted({}));
  if (found.passes) return {};
  const bool minimal = options.mode == PrecisionMode::minimal;
  if (minimal && !suspects.empty()) {
    ASSAY_ASSIGN(first, counted(suspects));
    if (found.passes) {
      ASSAY_ASSIGN(found.kept, choose_least(suspects, passes));
      return {};
    }
  }
  std::vector<int> order(static_cast<std::size_t>(nodes));
  std::iota(order.begin(), order.end(), 0);
  ASSAY_TRY(passes(order));
  if (!found.passes) return {};
  if (!minimal) {
    ASSAY_ASSIGN(found.kept, search_prefix(std::move(order), options, passes));
    return {};
  }
  std::optional<std::vector<int>> ranked;
  if (first.error) {
    ASSAY_ASSIGN(ranked, rank_by_error(nodes, suspects, *first.error, counted));
  }
  if (ranked) {
    ranked->insert(ranked->begin(), suspects.begin(), suspects.end());
    ASSAY_ASSIGN(found.kept, search_ranked(*std::move(ranked), passes));
  } else {
    ASSAY_ASSIGN(found.kept, search_all(nodes, suspects, passes));
  }
  return {};
}

}  // namespace assay::blame

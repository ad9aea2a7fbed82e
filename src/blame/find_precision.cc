#include "blame/find_precision.h"

#include <algorithm>
#include <numeric>

namespace assay::blame {
namespace {

constexpr double kSuspected = 0.9;     // if the suspects are enough: most are needed, so each is tried alone
constexpr double kOneOfSeveral = 0.5;  // if they aren't

base::Expected<std::vector<int>> search_all(int nodes, const std::vector<int>& suspects, const ChoiceTest& test) {
  std::vector<Element> elements;
  for (int node = 0; node < nodes; ++node) {
    const bool suspected = std::ranges::binary_search(suspects, node);
    elements.push_back({.number = node, .needed = suspected ? kOneOfSeveral : 1.0 / (nodes + 1)});
  }
  return choose_least(elements, test);
}

}  // namespace

base::Expected<PrecisionFindings> find_precision(int nodes, const std::vector<int>& suspects,
                                                 const PrecisionOptions& options, const ChoiceTest& test) {
  PrecisionFindings found;
  const ChoiceTest counted = [&](const std::vector<int>& kept) {
    ++found.runs;
    return test(kept);
  };
  ASSAY_ASSIGN(found.passes, counted({}));
  if (found.passes) return found;
  const bool minimal = options.mode == PrecisionMode::minimal;
  if (minimal && !suspects.empty()) {
    ASSAY_ASSIGN(found.passes, counted(suspects));
    if (found.passes) {
      std::vector<Element> elements;
      for (const int node : suspects) elements.push_back({.number = node, .needed = kSuspected});
      ASSAY_ASSIGN(found.kept, choose_least(elements, counted));
      return found;
    }
  }
  std::vector<int> order(static_cast<std::size_t>(nodes));
  std::iota(order.begin(), order.end(), 0);
  ASSAY_ASSIGN(found.passes, counted(order));
  if (!found.passes) return found;
  if (minimal) {
    ASSAY_ASSIGN(found.kept, search_all(nodes, suspects, counted));
    return found;
  }
  if (options.reverse) std::ranges::reverse(order);
  const auto search = options.mode == PrecisionMode::bisect ? bisect_prefix : extend_prefix;
  ASSAY_ASSIGN(const std::size_t count, search(order, counted));
  order.resize(count);
  std::ranges::sort(order);
  found.kept = std::move(order);
  return found;
}

}  // namespace assay::blame

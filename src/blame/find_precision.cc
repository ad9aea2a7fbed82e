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

base::Status find_precision(int nodes, const std::vector<int>& suspects, const PrecisionOptions& options,
                            const ChoiceTest& test, PrecisionFindings& found) {
  found = {};
  const ChoiceTest counted = [&](const std::vector<int>& kept) -> base::Expected<bool> {
    ++found.runs;
    ASSAY_ASSIGN(const bool passes, test(kept));
    if (passes && (!found.passes || kept.size() < found.kept.size())) found.kept = kept;
    found.passes = found.passes || passes;
    return passes;
  };
  ASSAY_TRY(counted({}));
  if (found.passes) return {};
  const bool minimal = options.mode == PrecisionMode::minimal;
  if (minimal && !suspects.empty()) {
    ASSAY_TRY(counted(suspects));
    if (found.passes) {
      std::vector<Element> elements;
      for (const int node : suspects) elements.push_back({.number = node, .needed = kSuspected});
      ASSAY_ASSIGN(found.kept, choose_least(elements, counted));
      return {};
    }
  }
  std::vector<int> order(static_cast<std::size_t>(nodes));
  std::iota(order.begin(), order.end(), 0);
  ASSAY_TRY(counted(order));
  if (!found.passes) return {};
  if (minimal) {
    ASSAY_ASSIGN(found.kept, search_all(nodes, suspects, counted));
    return {};
  }
  if (options.reverse) std::ranges::reverse(order);
  const auto search = options.mode == PrecisionMode::bisect ? bisect_prefix : extend_prefix;
  ASSAY_ASSIGN(const std::size_t count, search(order, counted));
  order.resize(count);
  std::ranges::sort(order);
  found.kept = std::move(order);
  return {};
}

}  // namespace assay::blame

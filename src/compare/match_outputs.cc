#include "compare/match_outputs.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "base/strings.h"

namespace assay::compare {
namespace {

// An output that has no partner yet, in lower case.
struct Candidate {
  std::size_t index;
  std::string lower;
};

bool alike(const std::string& lower_a, const std::string& lower_b) {
  return lower_a.find(lower_b) != std::string::npos || lower_b.find(lower_a) != std::string::npos;
}

}  // namespace

std::vector<OutputMatch> match_outputs(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  const std::unordered_set<std::string> names(first.begin(), first.end());
  std::unordered_set<std::string> taken;
  for (const std::string& name : second) {
    if (names.contains(name)) taken.insert(name);
  }
  std::vector<std::optional<OutputMatch>> matches(first.size());
  const auto match = [&](std::size_t i, const std::string& partner) {
    matches[i] = OutputMatch{first[i], partner, false};
    taken.insert(partner);
  };
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (taken.contains(first[i])) matches[i] = OutputMatch{first[i], first[i], true};
  }
  if (taken.size() < second.size()) {
    std::vector<Candidate> candidates;
    for (std::size_t k = 0; k < second.size(); ++k) {
      if (!taken.contains(second[k])) candidates.push_back({k, base::to_lower(second[k])});
    }
    for (std::size_t i = 0; i < first.size() && !candidates.empty(); ++i) {
      if (matches[i]) continue;
      const std::string lower = base::to_lower(first[i]);
      const auto partner =
          std::ranges::find_if(candidates, [&](const Candidate& candidate) { return alike(lower, candidate.lower); });
      if (partner == candidates.end()) continue;
      match(i, second[partner->index]);
      candidates.erase(partner);
    }
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
      if (!matches[i] && !taken.contains(second[i])) match(i, second[i]);
    }
  }
  std::vector<OutputMatch> result;
  for (auto& found : matches) {
    if (found) result.push_back(*std::move(found));
  }
  return result;
}

}  // namespace assay::compare

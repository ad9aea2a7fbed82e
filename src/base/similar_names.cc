#include "base/similar_names.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/strings.h"

namespace assay::base {
namespace {

// Returns the Levenshtein distance, or a larger value than `limit` once it is known to exceed that.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  std::vector<std::size_t> row(a.size() + 1);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
  for (std::size_t j = 1; j <= b.size(); ++j) {
    std::size_t diagonal = std::exchange(row[0], j);
    std::size_t least = row[0];
    for (std::size_t i = 1; i < row.size(); ++i) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[i];
      row[i] = std::min({changed, row[i] + 1, row[i - 1] + 1});
      least = std::min(least, row[i]);
    }
    if (least > limit) return limit + 1;
  }
  return row.back();
}

constexpr std::size_t kShortestPart = 3;  // shorter names are part of too many others by chance

// Returns true if the shorter name is an abbreviation of the longer one, as "onnxrt" is of "onnxruntime": it begins in
// the same way, at least half of the letters are left, and their order is the same.
bool abbreviates(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a.size() < kShortestPart || 2 * a.size() < b.size() || a.substr(0, kShortestPart) != b.substr(0, kShortestPart)) {
    return false;
  }
  std::size_t matched = 0;
  for (const char letter : b) {
    if (matched < a.size() && a[matched] == letter) ++matched;
  }
  return matched == a.size();
}

// Returns a smaller number for a more similar name, or nothing if the names aren't similar. A name that contains the
// other ranks first, then abbreviations and single typing errors.
std::optional<std::size_t> dissimilarity(const std::string& wanted, std::string_view name) {
  const std::string lower = to_lower(name);
  const bool holds = lower.find(wanted) != std::string::npos || wanted.find(lower) != std::string::npos;
  if (holds && std::min(lower.size(), wanted.size()) >= kShortestPart) return 0;
  if (abbreviates(wanted, lower)) return 1;
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);
  const std::size_t far = distance(wanted, lower, limit);
  return far > limit ? std::nullopt : std::optional(far);
}

}  // namespace

std::vector<std::string> similar_names(const std::vector<std::string>& names, const std::string& wanted,
                                       std::size_t most) {
  const std::string lower = to_lower(wanted);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : names) {
    if (const auto far = dissimilarity(lower, name)) found.emplace_back(*far, name);
  }
  std::ranges::stable_sort(found, {}, &std::pair<std::size_t, std::string>::first);
  if (found.size() > most) found.resize(most);
  std::vector<std::string> result;
  for (auto& [far, similar] : found) result.push_back(std::move(similar));
  return result;
}

std::string did_you_mean(const std::vector<std::string>& names, const std::string& wanted) {
  constexpr std::size_t kMost = 3;
  const std::vector<std::string> similar = similar_names(names, wanted, kMost);
  return similar.empty() ? "" : "Did you mean " + join(similar, " or ") + "?";
}

}  // namespace assay::base

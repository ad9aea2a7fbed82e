#include "surgeon/tensor_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/strings.h"

namespace assay::surgeon {
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

constexpr std::size_t kTelling = 3;  // a name inside another one is significant from this length on

// Returns a smaller number for a more similar name, or nothing if the names aren't similar. A name that contains the
// other ranks before typing errors.
std::optional<std::size_t> unlikeness(const std::string& wanted, std::string_view name) {
  const std::string lower = base::to_lower(name);
  const bool holds = lower.find(wanted) != std::string::npos || wanted.find(lower) != std::string::npos;
  if (holds && std::min(lower.size(), wanted.size()) >= kTelling) return 0;
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);
  const std::size_t far = distance(wanted, lower, limit);
  return far > limit ? std::nullopt : std::optional(far);
}

}  // namespace

std::vector<std::string> similar_names(const model::GraphView& view, const std::string& name, std::size_t most) {
  const std::string wanted = base::to_lower(name);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (model::TensorId id = 0; id < view.tensor_count(); ++id) {
    if (const auto far = unlikeness(wanted, view.name(id))) found.emplace_back(*far, view.name(id));
  }
  std::ranges::stable_sort(found, {}, &std::pair<std::size_t, std::string>::first);
  if (found.size() > most) found.resize(most);
  std::vector<std::string> names;
  for (auto& [far, similar] : found) names.push_back(std::move(similar));
  return names;
}

base::Error no_such_tensor(const model::GraphView& view, const std::string& name, const std::string& option) {
  std::vector<std::string> names = similar_names(view, name);
  std::string fix;
  if (!names.empty()) {
    fix = "Did you mean " + base::join(names, ", ");
  } else {
    for (model::TensorId id = 0; id < std::min(view.tensor_count(), 8); ++id) names.emplace_back(view.name(id));
    fix = fmt::format("Its tensors are {}{}; `assay inspect model --show layers` lists all", base::join(names, ", "),
                      view.tensor_count() > 8 ? ", ..." : "");
  }
  return {base::ErrorKind::not_found, fmt::format("the model has no tensor '{}'", name), option, std::move(fix)};
}

}  // namespace assay::surgeon

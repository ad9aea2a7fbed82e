#include "diff/diff_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/counted.h"
#include "base/strings.h"
#include "diff/change_kinds.h"
#include "tensor/tensor.h"

namespace assay::diff {
namespace {

std::string size_text(const ModelSize& size) {
  return fmt::format("{}, {} ({})", base::counted(size.nodes, "node"), base::counted(size.weights, "weight"),
                     base::format_bytes(size.weight_bytes));
}

std::string item_text(const Item& item) {
  const std::string name = item.name.empty() ? "" : fmt::format(" '{}'", item.name);
  return item.type + name + (item.index < 0 ? "" : fmt::format(" (node #{})", item.index));
}

}  // namespace

std::string summary(const ModelDiff& diff) {
  if (diff.equal()) return "The models are equal: " + size_text(diff.first);
  std::vector<std::string> counts;
  for (const ChangeGroup& group : change_groups()) {
    const std::size_t count = changes_of(diff, group).size();
    if (count > 0) counts.push_back(count_text(group, count));
  }
  return "The models differ: " + base::join(counts, ", ");
}

std::string subject_text(const Change& change) {
  if (!change.first) return item_text(*change.second);
  if (!change.second || change.aspect == Aspect::name) return item_text(*change.first);
  const Item &first = *change.first, &second = *change.second;
  if (first.name == second.name) return item_text(first);
  const std::string index = second.index < 0 ? "" : fmt::format(" (node #{})", second.index);
  return fmt::format("{}, now '{}'{}", item_text(first), second.name, index);
}

std::string values_text(const Change& change) {
  const WeightChange& values = *change.values;
  if (values.different == 0) {
    const bool other_type = !change.before.empty() && !change.after.empty();
    return other_type ? "the numbers are equal"
                      : "the numbers are equal, but not their bytes (signs of zeros, or NaNs)";
  }
  std::string text =
      fmt::format("{} of {} value{} differ{}, by up to {:.3g} at {}; relative norm {:.2g}", values.different,
                  values.elements, values.elements == 1 ? "" : "s", values.elements == 1 ? "s" : "", values.largest,
                  tensor::format_shape(values.at), values.relative_norm);
  if (values.nan_in_one == 0) return text;
  return text +
         fmt::format("; {} {} NaN in only one of the models", values.nan_in_one, values.nan_in_one == 1 ? "is" : "are");
}

namespace {

std::string change_text(const Change& change) {
  std::string text = subject_text(change);
  if (!change.detail.empty()) text += (change.aspect == Aspect::order ? ": " : ", ") + change.detail;
  if (!change.before.empty() && !change.after.empty()) {
    text += fmt::format(": {} -> {}", change.before, change.after);
  } else if (!change.before.empty() || !change.after.empty()) {
    text += fmt::format(": {}", change.before.empty() ? change.after : change.before);
  }
  if (change.values) {
    text += "; " + values_text(change);
  } else if (change.aspect == Aspect::weight && change.kind == Kind::changed && change.after.empty()) {
    text += "; the values differ";
  }
  if (!change.graph.empty()) text += fmt::format(" [in {}]", change.graph);
  return text;
}

// "Neg 0 -> 7, Conv 9 -> 4, and 3 more"
std::string operators_text(const std::vector<model::OperatorChange>& changes, std::size_t limit) {
  const std::size_t shown = limit == 0 ? changes.size() : std::min(limit, changes.size());
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < shown; ++i) {
    parts.push_back(fmt::format("{} {} -> {}", changes[i].name, changes[i].before, changes[i].after));
  }
  if (shown < changes.size()) parts.push_back(fmt::format("and {} more", changes.size() - shown));
  return base::join(parts, ", ");
}

}  // namespace

std::string to_text(const ModelDiff& diff, const std::string& first, const std::string& second, std::size_t limit) {
  std::string text = summary(diff);
  if (diff.weights_ignored) text += "\n    Weights in external files were not compared";
  if (diff.equal()) return text;
  text += fmt::format("\n    first:  {}: {}\n    second: {}: {}", first, size_text(diff.first), second,
                      size_text(diff.second));
  if (!diff.operators.empty()) text += "\n    operators: " + operators_text(diff.operators, limit);
  for (const ChangeGroup& group : change_groups()) {
    const std::vector<const Change*> changes = changes_of(diff, group);
    if (changes.empty()) continue;
    text += fmt::format("\n\n    {}:", count_text(group, changes.size()));
    const std::size_t shown = limit == 0 ? changes.size() : std::min(limit, changes.size());
    for (std::size_t i = 0; i < shown; ++i) text += "\n      " + change_text(*changes[i]);
    if (shown < changes.size()) {
      text += fmt::format("\n      ... and {} more (--limit 0 shows all)", changes.size() - shown);
    }
  }
  return text;
}

}  // namespace assay::diff

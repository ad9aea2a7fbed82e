#include "diff/change_kinds.h"

#include <fmt/format.h>

#include <array>

namespace assay::diff {
namespace {

using enum Kind;

constexpr std::array kGroups = {
    ChangeGroup{Aspect::model, changed, "property of the model changed", "properties of the model changed"},
    ChangeGroup{Aspect::opset, removed, "operator set removed", "operator sets removed"},
    ChangeGroup{Aspect::opset, added, "operator set added", "operator sets added"},
    ChangeGroup{Aspect::opset, changed, "operator set changed", "operator sets changed"},
    ChangeGroup{Aspect::function, removed, "function removed", "functions removed"},
    ChangeGroup{Aspect::function, added, "function added", "functions added"},
    ChangeGroup{Aspect::function, changed, "function changed", "functions changed"},
    ChangeGroup{Aspect::input, removed, "input removed", "inputs removed"},
    ChangeGroup{Aspect::input, added, "input added", "inputs added"},
    ChangeGroup{Aspect::input, changed, "input changed", "inputs changed"},
    ChangeGroup{Aspect::output, removed, "output removed", "outputs removed"},
    ChangeGroup{Aspect::output, added, "output added", "outputs added"},
    ChangeGroup{Aspect::output, changed, "output changed", "outputs changed"},
    ChangeGroup{Aspect::node, removed, "node removed", "nodes removed"},
    ChangeGroup{Aspect::node, added, "node added", "nodes added"},
    ChangeGroup{Aspect::node, changed, "operator changed", "operators changed"},
    ChangeGroup{Aspect::wiring, changed, "edge changed", "edges changed"},
    ChangeGroup{Aspect::attribute, changed, "attribute changed", "attributes changed"},
    ChangeGroup{Aspect::weight, removed, "weight removed", "weights removed"},
    ChangeGroup{Aspect::weight, added, "weight added", "weights added"},
    ChangeGroup{Aspect::weight, changed, "weight changed", "weights changed"},
    ChangeGroup{Aspect::type, changed, "type of an inner tensor changed", "types of inner tensors changed"},
    ChangeGroup{Aspect::metadata, changed, "metadata entry changed", "metadata entries changed"},
    ChangeGroup{Aspect::name, changed, "name changed", "names changed"},
    ChangeGroup{Aspect::order, changed, "order changed", "orders changed"},
    ChangeGroup{Aspect::doc, changed, "doc string changed", "doc strings changed"},
};

}  // namespace

std::span<const ChangeGroup> change_groups() {
  return kGroups;
}

std::string_view name(Aspect aspect) {
  constexpr std::array names = {"model",  "opset",     "metadata", "function", "input", "output", "node",
                                "wiring", "attribute", "weight",   "type",     "name",  "order",  "doc_string"};
  return names.at(static_cast<std::size_t>(aspect));
}

std::string_view name(Kind kind) {
  constexpr std::array names = {"added", "removed", "changed"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string count_text(const ChangeGroup& group, std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? group.one : group.many);
}

std::vector<const Change*> changes_of(const ModelDiff& diff, const ChangeGroup& group) {
  std::vector<const Change*> found;
  for (const Change& change : diff.changes) {
    if (change.aspect == group.aspect && change.kind == group.kind) found.push_back(&change);
  }
  return found;
}

}  // namespace assay::diff

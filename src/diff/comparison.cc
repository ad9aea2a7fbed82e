#include "diff/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "diff/describe.h"
#include "model/weights.h"

namespace assay::diff {
namespace {

std::map<std::string, std::string> as_map(const Comparison::Entries& entries) {
  std::map<std::string, std::string> map;
  for (const onnx::StringStringEntryProto& entry : entries) map[entry.key()] = entry.value();
  return map;
}

}  // namespace

std::vector<Change> Comparison::take() && {
  std::ranges::stable_sort(changes_, {}, &Change::aspect);
  return std::move(changes_);
}

void Comparison::note_added(Aspect aspect, const std::string& graph, Item item, std::string after) {
  changes_.push_back({.aspect = aspect,
                      .kind = Kind::added,
                      .graph = graph,
                      .first = std::nullopt,
                      .second = std::move(item),
                      .detail = {},
                      .before = {},
                      .after = std::move(after)});
}

void Comparison::note_removed(Aspect aspect, const std::string& graph, Item item, std::string before) {
  changes_.push_back({.aspect = aspect,
                      .kind = Kind::removed,
                      .graph = graph,
                      .first = std::move(item),
                      .second = std::nullopt,
                      .detail = {},
                      .before = std::move(before),
                      .after = {}});
}

void Comparison::note_changed(Aspect aspect, const Subject& subject, std::string detail, std::string before,
                              std::string after) {
  changes_.push_back({.aspect = aspect,
                      .kind = Kind::changed,
                      .graph = subject.graph,
                      .first = subject.first,
                      .second = subject.second,
                      .detail = std::move(detail),
                      .before = std::move(before),
                      .after = std::move(after)});
}

void Comparison::compare_texts(Aspect aspect, const Subject& subject, const std::string& detail,
                               const std::string& before, const std::string& after) {
  if (before != after) note_changed(aspect, subject, detail, quoted(before), quoted(after));
}

void Comparison::compare_names(const Subject& subject, const std::string& before, const std::string& after) {
  if (!ignore_.names) compare_texts(Aspect::name, subject, {}, before, after);
}

void Comparison::compare_docs(const Subject& subject, const std::string& before, const std::string& after) {
  if (!ignore_.doc_strings) compare_texts(Aspect::doc, subject, {}, before, after);
}

void Comparison::compare_entries(const Subject& subject, const std::string& what, const Entries& before,
                                 const Entries& after) {
  if (before.empty() && after.empty()) return;
  const std::map<std::string, std::string> first = as_map(before), second = as_map(after);
  const auto note = [&](const std::string& key, std::string old_value, std::string new_value) {
    note_changed(Aspect::metadata, subject, fmt::format("{} '{}'", what, key), std::move(old_value),
                 std::move(new_value));
  };
  for (const auto& [key, value] : first) {
    const auto at = second.find(key);
    if (at == second.end()) {
      note(key, quoted(value), "absent");
    } else if (at->second != value) {
      note(key, quoted(value), quoted(at->second));
    }
  }
  for (const auto& [key, value] : second) {
    if (!first.contains(key)) note(key, "absent", quoted(value));
  }
}

base::Status Comparison::compare_tensors(const Subject& subject, const std::string& detail,
                                         const onnx::TensorProto& before, const onnx::TensorProto& after) {
  const auto first = first_prints_.find(&before), second = second_prints_.find(&after);
  if (first == first_prints_.end() || second == second_prints_.end()) return {};
  if (first->second.value == second->second.value) return {};
  const bool same_type = first->second.declared == second->second.declared;
  const bool has_first = !model::has_no_values(before), has_second = !model::has_no_values(after);
  if (same_type && has_first != has_second) {
    constexpr auto text = [](bool has_values) { return has_values ? "has values" : "has no values"; };
    note_changed(Aspect::weight, subject, detail, text(has_first), text(has_second));
    return {};
  }
  // A weight that one side left on the disk is not known to differ.
  const auto unread = [](const TensorPrint& print) { return print.value == print.declared; };
  if (same_type && (unread(first->second) || unread(second->second))) return {};
  ASSAY_ASSIGN(const auto change, measure_change(first_, before, second_, after));
  note_changed(Aspect::weight, subject, detail, type_and_shape(before),
               same_type ? std::string() : type_and_shape(after));
  changes_.back().values = change;
  return {};
}

}  // namespace assay::diff

#include "diff/match_ports.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "model/shapes.h"

namespace assay::diff {
namespace {

bool same_kind(const onnx::ValueInfoProto& first, const onnx::ValueInfoProto& second) {
  if (first.type().value_case() != second.type().value_case()) return false;
  const model::TensorInfo a = model::tensor_info(first), b = model::tensor_info(second);
  return a.type == b.type && (!a.shape || !b.shape || a.shape->size() == b.shape->size());
}

}  // namespace

std::vector<std::pair<int, int>> match_ports(const Ports& first, const Ports& second, PortsBy by) {
  std::vector<std::pair<int, int>> pairs;
  if (by == PortsBy::position) {
    for (int i = 0; i < std::min(first.size(), second.size()); ++i) pairs.emplace_back(i, i);
    return pairs;
  }
  std::unordered_map<std::string_view, int> names;
  for (int i = 0; i < second.size(); ++i) names.emplace(second[i].name(), i);
  std::vector<bool> used(static_cast<std::size_t>(second.size()));
  std::vector<int> rest;
  for (int i = 0; i < first.size(); ++i) {
    const auto at = names.find(first[i].name());
    if (at == names.end() || used[static_cast<std::size_t>(at->second)]) {
      rest.push_back(i);
    } else {
      used[static_cast<std::size_t>(at->second)] = true;
      pairs.emplace_back(i, at->second);
    }
  }
  for (int j = 0; j < second.size(); ++j) {
    if (used[static_cast<std::size_t>(j)]) continue;
    const auto at = std::ranges::find_if(rest, [&](int i) { return same_kind(first[i], second[j]); });
    if (at == rest.end()) continue;
    pairs.emplace_back(*at, j);
    rest.erase(at);
  }
  std::ranges::sort(pairs);
  return pairs;
}

namespace {

class WeightMatch {
 public:
  WeightMatch(const Side& first, const Side& second, Match& match) : first_(first), second_(second), match_(match) {}

  void run() {
    const auto read_together = candidates();
    for (const auto& [a, b] : read_together) {
      if (name(first_, a) == name(second_, b)) pair(a, b);
    }
    for (const auto& [a, b] : read_together) {
      if (value(first_, a) == value(second_, b)) pair(a, b);
    }
    for (const auto& [a, b] : read_together) pair(a, b);
    for (TensorId a = 0; a < first_.wiring.view().tensor_count(); ++a) {
      if (!first_.wiring.view().is_initializer(a)) continue;
      const TensorId b = second_.wiring.view().find(name(first_, a));
      if (second_.wiring.view().is_initializer(b)) pair(a, b);
    }
    match_equal();
  }

 private:
  // Matches what no node reads, and has another name, by value.
  void match_equal() {
    std::multimap<Fingerprint, TensorId> others;
    for (TensorId b = 0; b < second_.wiring.view().tensor_count(); ++b) {
      if (is_unread(second_, b) && match_.tensors_back[static_cast<std::size_t>(b)] == kNone) {
        others.emplace(value(second_, b), b);
      }
    }
    for (TensorId a = 0; a < first_.wiring.view().tensor_count(); ++a) {
      if (!is_unread(first_, a) || match_.tensors[static_cast<std::size_t>(a)] != kNone) continue;
      const auto same = others.find(value(first_, a));
      if (same == others.end()) continue;
      pair(a, same->second);
      others.erase(same);
    }
  }

  static bool is_unread(const Side& side, TensorId id) {
    return side.wiring.view().is_initializer(id) && side.wiring.view().consumers(id).empty();
  }

  // Returns the weights that matched nodes read at the same input.
  [[nodiscard]] std::vector<std::pair<TensorId, TensorId>> candidates() const {
    std::vector<std::pair<TensorId, TensorId>> found;
    for (NodeId a = 0; a < first_.wiring.node_count(); ++a) {
      const NodeId b = match_.nodes[static_cast<std::size_t>(a)];
      if (b == kNone) continue;
      const auto inputs_a = first_.wiring.inputs(a), inputs_b = second_.wiring.inputs(b);
      for (std::size_t i = 0; i < std::min(inputs_a.size(), inputs_b.size()); ++i) {
        if (inputs_a[i] == kNone || inputs_b[i] == kNone) continue;
        if (!first_.wiring.view().is_initializer(inputs_a[i])) continue;
        if (second_.wiring.view().is_initializer(inputs_b[i])) found.emplace_back(inputs_a[i], inputs_b[i]);
      }
    }
    return found;
  }

  void pair(TensorId a, TensorId b) {
    TensorId& forward = match_.tensors[static_cast<std::size_t>(a)];
    TensorId& back = match_.tensors_back[static_cast<std::size_t>(b)];
    if (forward != kNone || back != kNone) return;
    forward = b;
    back = a;
  }

  static std::string_view name(const Side& side, TensorId id) { return side.wiring.view().name(id); }
  static Fingerprint value(const Side& side, TensorId id) {
    const auto found = side.prints.find(side.wiring.view().initializer(id));
    return found == side.prints.end() ? Fingerprint{} : found->second.value;
  }

  const Side& first_;
  const Side& second_;
  Match& match_;
};

}  // namespace

void match_weights(const Side& first, const Side& second, Match& match) {
  WeightMatch(first, second, match).run();
}

}  // namespace assay::diff

// Labels go from strict to lenient, so that weak evidence only decides about nodes that stronger evidence leaves over.
// With each kind of label, everything unambiguous is matched first. Ties come last: by then, neighbours of known pairs
// have decided most of them, and for the rest the order of the file is as good as any other.
//
// A node that was put in or taken out breaks the chain of neighbours, since its result has no counterpart. So bridge()
// assumes that such a node passes its first input on, and matches the readers of its result with those of that input.
// Between two such nodes both labels of a node differ, so little else could match what lies there.
#include "diff/match_graphs.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

#include "base/at.h"
#include "diff/labels.h"
#include "diff/match_ports.h"

namespace assay::diff {
namespace {

bool same_operator(const onnx::NodeProto& a, const onnx::NodeProto& b) {
  return a.op_type() == b.op_type() && a.domain() == b.domain();
}

// Returns the name by which a node is recognised: its own, or else that of its first output.
std::string_view name_of(const onnx::NodeProto& node) {
  if (!node.name().empty()) return node.name();
  if (node.output_size() == 0) return {};
  return node.output(0);
}

using base::at;
// Equal names match if they are unique in both graphs.
using NodesByName = std::map<std::string_view, std::vector<NodeId>>;

class Matcher {
 public:
  Matcher(const Side& first, const Side& second, PortsBy ports, const TensorPairs& outer)
      : a_(first), b_(second), ports_(ports), outer_(outer) {
    match_.nodes.assign(at(a_.wiring.node_count()), kNone);
    match_.back.assign(at(b_.wiring.node_count()), kNone);
    match_.tensors.assign(at(a_.wiring.view().tensor_count()), kNone);
    match_.tensors_back.assign(at(b_.wiring.view().tensor_count()), kNone);
  }

  Match run() {
    set_ends();
    for (const LabelBy by : {LabelBy::values, LabelBy::names, LabelBy::types, LabelBy::operators}) {
      if (is_complete()) break;
      if (by == LabelBy::types) match_by_name(true);
      match_by_labels(by);
    }
    match_by_name(true);
    match_replaced();
    match_by_name(false);
    match_outputs();
    match_weights(a_, b_, match_);
    return std::move(match_);
  }

 private:
  struct Group {
    std::vector<NodeId> first, second;
  };
  using Key = std::array<Fingerprint, 2>;

  [[nodiscard]] bool is_complete() const {
    return std::ranges::find(match_.nodes, kNone) == match_.nodes.end() ||
           std::ranges::find(match_.back, kNone) == match_.back.end();
  }
  [[nodiscard]] bool is_free(NodeId a, NodeId b) const {
    return a != kNone && b != kNone && match_.nodes[at(a)] == kNone && match_.back[at(b)] == kNone;
  }

  void pair_tensors(TensorId a, TensorId b) {
    if (a == kNone || b == kNone || match_.tensors[at(a)] != kNone || match_.tensors_back[at(b)] != kNone) return;
    match_.tensors[at(a)] = b;
    match_.tensors_back[at(b)] = a;
  }

  void pair_nodes(NodeId a, NodeId b) {
    match_.nodes[at(a)] = b;
    match_.back[at(b)] = a;
    fresh_.emplace_back(a, b);
  }

  // Matches inputs, outputs and tensors from outside the graph, and gives both sides of a pair the same id.
  void set_ends() {
    const model::GraphView &first = a_.wiring.view(), &second = b_.wiring.view();
    for (auto* ends : {&ends_a_, &ends_b_}) {
      const auto count = at((ends == &ends_a_ ? first : second).tensor_count());
      *ends = {std::vector<std::int64_t>(count), std::vector<std::int64_t>(count)};
    }
    std::int64_t next = 0;
    for (const auto& [i, j] : match_ports(first.graph().input(), second.graph().input(), ports_)) {
      const TensorId a = first.find(first.graph().input(i).name()), b = second.find(second.graph().input(j).name());
      if (!first.is_graph_input(a) || !second.is_graph_input(b)) continue;
      pair_tensors(a, b);
      ends_a_.inputs[at(a)] = ends_b_.inputs[at(b)] = ++next;
    }
    for (TensorId a = 0; a < first.tensor_count(); ++a) {
      if (!a_.wiring.is_outer(a)) continue;
      const auto known = outer_.find(first.name(a));
      const TensorId b = second.find(known == outer_.end() ? first.name(a) : known->second);
      if (b == kNone || !b_.wiring.is_outer(b)) continue;
      pair_tensors(a, b);
      ends_a_.inputs[at(a)] = ends_b_.inputs[at(b)] = ++next;
    }
    for (const auto& [i, j] : match_ports(first.graph().output(), second.graph().output(), ports_)) {
      const TensorId a = first.find(first.graph().output(i).name()), b = second.find(second.graph().output(j).name());
      ends_a_.outputs[at(a)] = ends_b_.outputs[at(b)] = ++next;
    }
  }

  void match_by_labels(LabelBy by) {
    const Labels first = make_labels(a_.wiring, a_.prints, ends_a_, by);
    const Labels second = make_labels(b_.wiring, b_.prints, ends_b_, by);
    const auto both = [](const Labels& labels, NodeId id) { return Key{labels.above[at(id)], labels.below[at(id)]}; };
    const auto above = [](const Labels& labels, NodeId id) { return Key{labels.above[at(id)], {}}; };
    const auto below = [](const Labels& labels, NodeId id) { return Key{labels.below[at(id)], {}}; };
    const auto own = [](const Labels& labels, NodeId id) { return Key{labels.own[at(id)], {}}; };
    match_equal(first, second, both, Ties::leave);
    match_equal(first, second, above, Ties::leave);
    match_equal(first, second, below, Ties::leave);
    spread(first, second);
    match_equal(first, second, own, Ties::leave);
    follow(first, second);
    bridge(first, second);
    match_equal(first, second, both, Ties::in_order);
    if (by != LabelBy::operators) return;
    match_equal(first, second, above, Ties::in_order);
    match_equal(first, second, below, Ties::in_order);
  }

  // Whether nodes that look the same, and whose names don't decide, are matched in their order.
  enum class Ties { leave, in_order };

  template <class KeyOf>
  void match_equal(const Labels& first, const Labels& second, const KeyOf& key, Ties ties) {
    std::map<Key, Group> groups;
    for (NodeId id = 0; id < a_.wiring.node_count(); ++id) {
      if (match_.nodes[at(id)] == kNone) groups[key(first, id)].first.push_back(id);
    }
    for (NodeId id = 0; id < b_.wiring.node_count(); ++id) {
      if (match_.back[at(id)] != kNone) continue;
      const auto group = groups.find(key(second, id));
      if (group != groups.end()) group->second.second.push_back(id);
    }
    for (auto& [label, group] : groups) {
      match_group(group);
      if (ties == Ties::in_order) match_in_order(group, first, second);
    }
  }

  // Matches nodes that look the same if there is one on each side, or if names decide.
  void match_group(Group& group) {
    keep_unmatched(group);
    if (group.first.empty() || group.second.empty()) return;
    if (group.first.size() == 1 && group.second.size() == 1) {
      pair_nodes(group.first.front(), group.second.front());
      return;
    }
    const NodesByName first = by_name(a_, group.first), second = by_name(b_, group.second);
    for (const auto& [name, nodes] : first) {
      const auto same = second.find(name);
      if (same == second.end() || nodes.size() > 1 || same->second.size() > 1) continue;
      pair_nodes(nodes.front(), same->second.front());
    }
  }

  // Matches nodes that look the same one after another. What is around a pair has to be matched before the next pair is
  // chosen: of two equal branches, a node of one must not be matched with the first branch and its neighbour with the
  // second.
  void match_in_order(const Group& group, const Labels& first, const Labels& second) {
    follow(first, second);
    auto b = group.second.begin();
    for (const NodeId a : group.first) {
      if (match_.nodes[at(a)] != kNone) continue;
      while (b != group.second.end() && match_.back[at(*b)] != kNone) ++b;
      if (b == group.second.end()) return;
      pair_nodes(a, *b);
      follow(first, second);
    }
  }

  void keep_unmatched(Group& group) const {
    std::erase_if(group.first, [&](NodeId a) { return match_.nodes[at(a)] != kNone; });
    std::erase_if(group.second, [&](NodeId b) { return match_.back[at(b)] != kNone; });
  }

  static NodesByName by_name(const Side& side, std::span<const NodeId> nodes) {
    NodesByName names;
    for (const NodeId id : nodes) names[name_of(side.wiring.node(id))].push_back(id);
    names.erase("");
    return names;
  }

  static std::vector<NodeId> unmatched(const std::vector<NodeId>& counterparts) {
    std::vector<NodeId> found;
    for (std::size_t i = 0; i < counterparts.size(); ++i) {
      if (counterparts[i] == kNone) found.push_back(static_cast<NodeId>(i));
    }
    return found;
  }

  // Matches nodes of names that are unique on both sides, with the same operator or with any.
  void match_by_name(bool with_operator) {
    const NodesByName first = by_name(a_, unmatched(match_.nodes)), second = by_name(b_, unmatched(match_.back));
    for (const auto& [name, nodes] : first) {
      const auto same = second.find(name);
      if (same == second.end() || nodes.size() > 1 || same->second.size() > 1) continue;
      const NodeId a = nodes.front(), b = same->second.front();
      if (with_operator && !same_operator(a_.wiring.node(a), b_.wiring.node(b))) continue;
      pair_nodes(a, b);
    }
    spread();
  }

  // Matches neighbours of matched nodes, and their neighbours, as far as it goes. Neighbours need equal labels of their
  // own, or only the same operator if there are no labels: otherwise one pair below a missing layer would match all
  // layers above it with their neighbours.
  void spread(const Labels& first, const Labels& second) {
    fresh_.clear();
    for (NodeId a = 0; a < a_.wiring.node_count(); ++a) {
      if (match_.nodes[at(a)] != kNone) fresh_.emplace_back(a, match_.nodes[at(a)]);
    }
    follow(first, second);
  }
  void spread() { spread({}, {}); }

  // The same for nodes that were matched since the last time.
  void follow(const Labels& first, const Labels& second) {
    while (!fresh_.empty()) {
      const auto [a, b] = fresh_.front();
      fresh_.pop_front();
      const auto inputs_a = a_.wiring.inputs(a), inputs_b = b_.wiring.inputs(b);
      for (std::size_t i = 0; i < std::min(inputs_a.size(), inputs_b.size()); ++i) {
        match_sources(inputs_a[i], inputs_b[i], first, second);
      }
      const auto outputs_a = a_.wiring.outputs(a), outputs_b = b_.wiring.outputs(b);
      for (std::size_t i = 0; i < std::min(outputs_a.size(), outputs_b.size()); ++i) {
        pair_tensors(outputs_a[i], outputs_b[i]);
        match_readers(outputs_a[i], outputs_b[i], first, second);
      }
    }
  }

  // Steps over nodes that were removed (added): what reads their result may now read their first input.
  void bridge(const Labels& first, const Labels& second) {
    for (const NodeId a : unmatched(match_.nodes)) {
      const auto [source, result] = ends_of(a_.wiring, a);
      if (source != kNone && result != kNone) match_readers(result, match_.tensors[at(source)], first, second);
      follow(first, second);
    }
    for (const NodeId b : unmatched(match_.back)) {
      const auto [source, result] = ends_of(b_.wiring, b);
      if (source != kNone && result != kNone) match_readers(match_.tensors_back[at(source)], result, first, second);
      follow(first, second);
    }
  }

  // Returns the first input and the first output of a node.
  static std::pair<TensorId, TensorId> ends_of(const Wiring& wiring, NodeId id) {
    const auto read = wiring.inputs(id), produced = wiring.outputs(id);
    return {read.empty() ? kNone : read[0], produced.empty() ? kNone : produced[0]};
  }

  [[nodiscard]] bool alike(NodeId a, NodeId b, const Labels& first, const Labels& second) const {
    if (first.own.empty()) return same_operator(a_.wiring.node(a), b_.wiring.node(b));
    return first.own[at(a)] == second.own[at(b)];
  }

  void match_sources(TensorId a, TensorId b, const Labels& first, const Labels& second) {
    if (a == kNone || b == kNone) return;
    const NodeId from_a = a_.wiring.view().producer(a), from_b = b_.wiring.view().producer(b);
    if (!is_free(from_a, from_b) || a_.wiring.output_position(a) != b_.wiring.output_position(b)) return;
    if (alike(from_a, from_b, first, second)) pair_nodes(from_a, from_b);
  }

  void match_readers(TensorId a, TensorId b, const Labels& first, const Labels& second) {
    if (a == kNone || b == kNone) return;
    using Alike = std::tuple<Fingerprint, std::string_view, std::string_view, std::int32_t>;
    std::map<Alike, Group> groups;
    const auto key = [](const Side& side, const Labels& labels, const Use& use) {
      const onnx::NodeProto& node = side.wiring.node(use.node);
      return Alike{labels.own.empty() ? Fingerprint{} : labels.own[at(use.node)], node.op_type(), node.domain(),
                   use.position};
    };
    for (const Use& use : a_.wiring.uses(a)) {
      if (match_.nodes[at(use.node)] == kNone) groups[key(a_, first, use)].first.push_back(use.node);
    }
    if (groups.empty()) return;
    for (const Use& use : b_.wiring.uses(b)) {
      if (match_.back[at(use.node)] == kNone) groups[key(b_, second, use)].second.push_back(use.node);
    }
    for (auto& [same, group] : groups) match_group(group);
  }

  // Matches nodes of different operators whose first input and one of whose readers are counterparts.
  void match_replaced() {
    for (const NodeId a : unmatched(match_.nodes)) {
      const NodeId b = in_same_place(a);
      if (is_free(a, b)) pair_nodes(a, b);
    }
    spread();
    bridge({}, {});
  }

  [[nodiscard]] NodeId in_same_place(NodeId a) const {
    const auto read = a_.wiring.inputs(a), produced = a_.wiring.outputs(a);
    if (read.empty() || read[0] == kNone || produced.empty() || produced[0] == kNone) return kNone;
    const TensorId source = match_.tensors[at(read[0])];
    if (source == kNone) return kNone;
    const NodeId b = before_same_reader(source, produced[0]);
    return b != kNone ? b : with_same_output(source, produced[0]);
  }

  // Returns true for a node without a counterpart whose first input is this tensor of the second graph.
  [[nodiscard]] bool is_free_reader(NodeId b, TensorId source) const {
    const auto read = b_.wiring.inputs(b);
    return !read.empty() && read[0] == source && match_.back[at(b)] == kNone;
  }

  // Returns the free reader of `source` whose result a counterpart of one of the readers of `result` reads in the same
  // place.
  [[nodiscard]] NodeId before_same_reader(TensorId source, TensorId result) const {
    for (const Use& use : a_.wiring.uses(result)) {
      const NodeId reader = match_.nodes[at(use.node)];
      if (reader == kNone || at(use.position) >= b_.wiring.inputs(reader).size()) continue;
      const TensorId tensor = b_.wiring.inputs(reader)[at(use.position)];
      const NodeId b = b_.wiring.view().producer(tensor);
      if (b != kNone && is_free_reader(b, source)) return b;
    }
    return kNone;
  }

  // Returns the free reader of `source` that computes the same output of the graph as `result` is.
  [[nodiscard]] NodeId with_same_output(TensorId source, TensorId result) const {
    if (!a_.wiring.view().is_graph_output(result)) return kNone;
    for (const Use& use : b_.wiring.uses(source)) {
      const auto outputs = b_.wiring.outputs(use.node);
      if (!is_free_reader(use.node, source) || outputs.empty() || outputs[0] == kNone) continue;
      const auto end = ends_b_.outputs[at(outputs[0])];
      if (end != 0 && end == ends_a_.outputs[at(result)]) return use.node;
    }
    return kNone;
  }

  // Outputs of nodes that were matched last.
  void match_outputs() {
    for (NodeId a = 0; a < a_.wiring.node_count(); ++a) {
      const NodeId b = match_.nodes[at(a)];
      if (b == kNone) continue;
      const auto outputs_a = a_.wiring.outputs(a), outputs_b = b_.wiring.outputs(b);
      for (std::size_t i = 0; i < std::min(outputs_a.size(), outputs_b.size()); ++i)
        pair_tensors(outputs_a[i], outputs_b[i]);
    }
  }

  const Side& a_;
  const Side& b_;
  PortsBy ports_;
  const TensorPairs& outer_;
  Ends ends_a_, ends_b_;
  std::deque<std::pair<NodeId, NodeId>> fresh_;  // matched, but spread() has not looked at their neighbours yet
  Match match_;
};

}  // namespace

Match match_graphs(const Side& first, const Side& second, PortsBy ports, const TensorPairs& outer) {
  return Matcher(first, second, ports, outer).run();
}

}  // namespace assay::diff

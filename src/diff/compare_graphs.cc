// First the nodes are matched, then everything is compared by counterparts: two inputs of a pair of nodes are the same
// if the tensors that they read are counterparts, whatever their names.
#include "diff/compare_graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "base/at.h"
#include "diff/compare_attributes.h"
#include "diff/compare_devices.h"
#include "diff/compare_order.h"
#include "diff/compare_weights.h"
#include "diff/describe.h"
#include "diff/match_ports.h"

namespace assay::diff {
namespace {

using base::at;

class GraphComparison {
 public:
  GraphComparison(Comparison& comparison, const onnx::GraphProto& first, const onnx::GraphProto& second, PortsBy ports,
                  const TensorPairs& outer, std::string place, const MatchOuter& match_outer)
      : comparison_(comparison),
        first_(first),
        second_(second),
        a_(first),
        b_(second),
        ports_(ports),
        outer_(outer),
        match_outer_(match_outer),
        place_(std::move(place)),
        match_(match_graphs({a_, comparison.first_prints()}, {b_, comparison.second_prints()}, ports, outer)) {}

  base::Status run() {
    const Subject graph{place_, {"graph", first_.name()}, {"graph", second_.name()}};
    comparison_.compare_names(graph, first_.name(), second_.name());
    comparison_.compare_docs(graph, first_.doc_string(), second_.doc_string());
    comparison_.compare_entries(graph, "metadata", first_.metadata_props(), second_.metadata_props());
    compare_annotations();
    compare_inputs();
    compare_outputs();
    ASSAY_TRY(compare_nodes());
    ASSAY_TRY(compare_weights(comparison_, {first_, second_, a_, b_, match_}, place_));
    compare_inner_types();
    compare_tensor_names();
    if (!comparison_.ignore().order) compare_node_order();
    return {};
  }

 private:
  // Matches the two first if they are weights around the graphs that nothing has matched yet.
  bool are_counterparts(TensorId a, TensorId b) {
    if (a == kNone || b == kNone) return a == b;
    if (match_.tensors[at(a)] == b) return true;
    const bool is_outer = a_.is_outer(a) && b_.is_outer(b) && match_outer_;
    return is_outer && match_outer_(a_.view().name(a), b_.view().name(b)) && make_counterparts(a, b);
  }

  // Returns false if one of them has another counterpart.
  bool make_counterparts(TensorId a, TensorId b) {
    TensorId& forward = match_.tensors[at(a)];
    TensorId& back = match_.tensors_back[at(b)];
    if (forward != kNone || back != kNone) return forward == b;
    forward = b;
    back = a;
    return true;
  }

  // Matches weights that only bodies read: a node with bodies doesn't say which of them it reads where.
  bool match_captured(std::string_view first, std::string_view second) {
    const TensorId a = a_.view().find(first), b = b_.view().find(second);
    if (a == kNone || b == kNone || (a_.is_outer(a) && b_.is_outer(b))) {
      return match_outer_ && match_outer_(first, second);
    }
    if (!a_.view().is_initializer(a) || !b_.view().is_initializer(b) || !make_counterparts(a, b)) return false;
    around_.insert_or_assign(a_.view().name(a), b_.view().name(b));
    return true;
  }

  static std::string tensor_text(const Wiring& wiring, TensorId id) {
    if (id == kNone) return "nothing";
    const model::GraphView& view = wiring.view();
    const std::string name = fmt::format("'{}'", view.name(id));
    if (view.is_initializer(id)) return "weight " + name;
    if (view.is_graph_input(id)) return "input " + name;
    const NodeId from = view.producer(id);
    if (from == kNone) return name + ", which no node computes here";
    const Item item = node_item(wiring.node(from), from);
    return fmt::format("{} of {} (node #{})", name, item.type, from);
  }

  void compare_value_infos(Aspect aspect, const Subject& subject, const onnx::ValueInfoProto* a,
                           const onnx::ValueInfoProto* b) {
    const auto text = [&](const onnx::ValueInfoProto* value) {
      return value == nullptr ? "absent" : type_and_shape(value->type(), !comparison_.ignore().names);
    };
    std::string before = text(a), after = text(b);
    if (before != after) comparison_.note_changed(aspect, subject, "type", std::move(before), std::move(after));
    if (a == nullptr || b == nullptr) return;
    comparison_.compare_docs(subject, a->doc_string(), b->doc_string());
    comparison_.compare_entries(subject, "metadata", a->metadata_props(), b->metadata_props());
  }

  // Adds a change if counterparts have another order. `positions`: those in the second graph, in the first one's order.
  void note_order(const char* what, const std::vector<int>& positions,
                  const std::function<std::string(std::size_t)>& describe) {
    const std::vector<std::size_t> moved = find_moved(positions);
    if (moved.empty()) return;
    const Subject subject{place_, {what, ""}, {what, ""}};
    comparison_.note_changed(
        Aspect::order, subject,
        fmt::format("{} of {} moved, the first is {}", moved.size(), positions.size(), describe(moved.front())), {},
        {});
  }

  void compare_inputs() {
    std::vector<int> positions;
    std::vector<std::string> names;
    for (const onnx::ValueInfoProto& input : first_.input()) {
      const TensorId a = a_.view().find(input.name());
      if (!a_.view().is_graph_input(a)) continue;
      const TensorId b = match_.tensors[at(a)];
      if (b == kNone || !b_.view().is_graph_input(b)) {
        comparison_.note_removed(Aspect::input, place_, {"input", input.name()}, port_type(input));
        continue;
      }
      const Subject subject{place_, {"input", input.name()}, {"input", std::string(b_.view().name(b))}};
      compare_value_infos(Aspect::input, subject, &input, b_.view().value_info(b));
      positions.push_back(position(second_.input(), b_.view().name(b)));
      names.push_back(input.name());
    }
    for (const onnx::ValueInfoProto& input : second_.input()) {
      const TensorId b = b_.view().find(input.name());
      if (!b_.view().is_graph_input(b)) continue;
      const TensorId a = match_.tensors_back[at(b)];
      if (a == kNone) comparison_.note_added(Aspect::input, place_, {"input", input.name()}, port_type(input));
    }
    if (comparison_.ignore().order) return;
    note_order("inputs", positions, [&](std::size_t i) { return fmt::format("'{}'", names[i]); });
  }

  [[nodiscard]] std::string port_type(const onnx::ValueInfoProto& value) const {
    return type_and_shape(value.type(), !comparison_.ignore().names);
  }

  static int position(const Ports& ports, std::string_view name) {
    const auto found = std::ranges::find(ports, name, [](const auto& port) { return std::string_view(port.name()); });
    return static_cast<int>(found - ports.begin());
  }

  void compare_outputs() {
    const auto pairs = match_ports(first_.output(), second_.output(), ports_);
    std::vector<bool> used(at(second_.output_size()));
    std::vector<int> positions;
    int next = 0;
    for (const auto& [i, j] : pairs) {
      for (; next < i; ++next) remove_output(next);
      next = i + 1;
      used[at(j)] = true;
      positions.push_back(j);
      compare_output(first_.output(i), second_.output(j));
    }
    for (; next < first_.output_size(); ++next) remove_output(next);
    for (int j = 0; j < second_.output_size(); ++j) {
      const onnx::ValueInfoProto& value = second_.output(j);
      if (!used[at(j)]) comparison_.note_added(Aspect::output, place_, {"output", value.name()}, port_type(value));
    }
    if (comparison_.ignore().order) return;
    note_order("outputs", positions,
               [&](std::size_t i) { return fmt::format("'{}'", first_.output(pairs[i].first).name()); });
  }

  void remove_output(int index) {
    const onnx::ValueInfoProto& value = first_.output(index);
    comparison_.note_removed(Aspect::output, place_, {"output", value.name()}, port_type(value));
  }

  void compare_output(const onnx::ValueInfoProto& first, const onnx::ValueInfoProto& second) {
    const Subject subject{place_, {"output", first.name()}, {"output", second.name()}};
    compare_value_infos(Aspect::output, subject, &first, &second);
    const TensorId a = a_.view().find(first.name()), b = b_.view().find(second.name());
    if (are_counterparts(a, b)) return;
    comparison_.note_changed(Aspect::wiring, subject, "", tensor_text(a_, a), tensor_text(b_, b));
    comparison_.compare_names(subject, first.name(), second.name());
  }

  base::Status compare_nodes() {
    for (NodeId a = 0; a < a_.node_count(); ++a) {
      const NodeId b = match_.nodes[at(a)];
      if (b == kNone) {
        comparison_.note_removed(Aspect::node, place_, node_item(a_.node(a), a));
      } else {
        ASSAY_TRY(compare_node(a, b));
      }
    }
    for (NodeId b = 0; b < b_.node_count(); ++b) {
      if (match_.back[at(b)] == kNone) comparison_.note_added(Aspect::node, place_, node_item(b_.node(b), b));
    }
    return {};
  }

  base::Status compare_node(NodeId a, NodeId b) {
    const onnx::NodeProto &first = a_.node(a), &second = b_.node(b);
    const Subject subject{place_, node_item(first, a), node_item(second, b)};
    if (subject.first.type != subject.second.type || first.overload() != second.overload()) {
      comparison_.note_changed(Aspect::node, subject, "operator", operator_text(first), operator_text(second));
    }
    comparison_.compare_names(subject, first.name(), second.name());
    comparison_.compare_docs(subject, first.doc_string(), second.doc_string());
    comparison_.compare_entries(subject, "metadata", first.metadata_props(), second.metadata_props());
    compare_devices(comparison_, Aspect::attribute, subject, first.device_configurations(),
                    second.device_configurations());
    compare_edges(subject, a, b);
    ASSAY_ASSIGN(const std::vector<BodyPair> bodies,
                 compare_attributes(comparison_, subject, first.attribute(), second.attribute()));
    if (bodies.empty()) return {};
    if (around_.empty()) around_ = tensors_around();
    for (const BodyPair& body : bodies) {
      const std::string place = fmt::format("body {} of {} '{}' (node #{}){}", body.attribute, subject.first.type,
                                            subject.first.name, a, place_.empty() ? "" : ", " + place_);
      ASSAY_TRY(compare_graphs(comparison_, *body.first, *body.second, PortsBy::position, around_, place,
                               [this](auto one, auto other) { return match_captured(one, other); }));
    }
    return {};
  }

  static std::string operator_text(const onnx::NodeProto& node) {
    return node_item(node, 0).type + (node.overload().empty() ? "" : ":" + node.overload());
  }

  void compare_edges(const Subject& subject, NodeId a, NodeId b) {
    const auto inputs_a = a_.inputs(a), inputs_b = b_.inputs(b);
    const auto get = [](std::span<const TensorId> list, std::size_t i) { return i < list.size() ? list[i] : kNone; };
    for (std::size_t i = 0; i < std::max(inputs_a.size(), inputs_b.size()); ++i) {
      const TensorId from_a = get(inputs_a, i), from_b = get(inputs_b, i);
      if (are_counterparts(from_a, from_b)) continue;
      comparison_.note_changed(Aspect::wiring, subject, fmt::format("input {}", i), tensor_text(a_, from_a),
                               tensor_text(b_, from_b));
    }
    const auto outputs_a = a_.outputs(a), outputs_b = b_.outputs(b);
    for (std::size_t i = 0; i < std::max(outputs_a.size(), outputs_b.size()); ++i) {
      const TensorId to_a = get(outputs_a, i), to_b = get(outputs_b, i);
      if ((to_a == kNone) == (to_b == kNone)) continue;
      const auto text = [](const Wiring& wiring, TensorId id) {
        return id == kNone ? std::string("nothing") : fmt::format("'{}'", wiring.view().name(id));
      };
      comparison_.note_changed(Aspect::wiring, subject, fmt::format("output {}", i), text(a_, to_a), text(b_, to_b));
    }
  }

  [[nodiscard]] TensorPairs tensors_around() const {
    TensorPairs around = outer_;
    for (TensorId a = 0; a < a_.view().tensor_count(); ++a) {
      const TensorId b = match_.tensors[at(a)];
      around.insert_or_assign(a_.view().name(a), b == kNone ? std::string_view() : b_.view().name(b));
    }
    return around;
  }

  // Types of tensors that nodes compute, except outputs.
  void compare_inner_types() {
    for (TensorId a = 0; a < a_.view().tensor_count(); ++a) {
      const TensorId b = match_.tensors[at(a)];
      if (b == kNone || a_.view().producer(a) == kNone) continue;
      if (a_.view().is_graph_output(a) || b_.view().is_graph_output(b)) continue;
      const Subject subject{
          place_, {"tensor", std::string(a_.view().name(a))}, {"tensor", std::string(b_.view().name(b))}};
      compare_value_infos(Aspect::type, subject, a_.view().value_info(a), b_.view().value_info(b));
    }
  }

  void compare_tensor_names() {
    for (TensorId a = 0; a < a_.view().tensor_count(); ++a) {
      const TensorId b = match_.tensors[at(a)];
      if (b == kNone || a_.is_outer(a)) continue;
      const std::string first(a_.view().name(a)), second(b_.view().name(b));
      comparison_.compare_names({place_, {"tensor", first}, {"tensor", second}}, first, second);
    }
  }

  void compare_node_order() {
    std::vector<int> positions;
    std::vector<NodeId> nodes;
    for (NodeId a = 0; a < a_.node_count(); ++a) {
      if (match_.nodes[at(a)] == kNone) continue;
      positions.push_back(match_.nodes[at(a)]);
      nodes.push_back(a);
    }
    note_order("nodes", positions, [&](std::size_t i) {
      const Item item = node_item(a_.node(nodes[i]), nodes[i]);
      return fmt::format("{} '{}' (from #{} to #{})", item.type, item.name, item.index, positions[i]);
    });
  }

  // Quantisation parameters of tensors.
  void compare_annotations() {
    std::map<std::string_view, const onnx::TensorAnnotation*> others;
    for (const onnx::TensorAnnotation& one : second_.quantization_annotation()) others[one.tensor_name()] = &one;
    const onnx::TensorAnnotation none;
    const auto compare = [&](const std::string& name, const onnx::TensorAnnotation& a,
                             const onnx::TensorAnnotation& b) {
      const Subject subject{place_, {"tensor", name}, {"tensor", name}};
      comparison_.compare_entries(subject, "quantization", a.quant_parameter_tensor_names(),
                                  b.quant_parameter_tensor_names());
    };
    for (const onnx::TensorAnnotation& one : first_.quantization_annotation()) {
      const auto other = others.extract(one.tensor_name());
      compare(one.tensor_name(), one, other.empty() ? none : *other.mapped());
    }
    for (const auto& [name, one] : others) compare(std::string(name), none, *one);
  }

  Comparison& comparison_;
  const onnx::GraphProto& first_;
  const onnx::GraphProto& second_;
  Wiring a_, b_;  // of first_ and second_
  PortsBy ports_;
  const TensorPairs& outer_;
  const MatchOuter& match_outer_;
  std::string place_;
  Match match_;
  TensorPairs around_;  // counterparts of this graph's tensors and of those around it, for bodies
};

}  // namespace

base::Status compare_graphs(Comparison& comparison, const onnx::GraphProto& first, const onnx::GraphProto& second,
                            PortsBy ports, const TensorPairs& outer, const std::string& place,
                            const MatchOuter& match_outer) {
  return GraphComparison(comparison, first, second, ports, outer, place, match_outer).run();
}

}  // namespace assay::diff

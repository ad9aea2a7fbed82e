// Names become small integers in one pass over the nodes; producers and consumers are then arrays.
//
// Models that fail are often broken, so nothing here assumes that names are unique or nodes are sorted. If a name is
// defined more than once, the first definition counts, inputs and initializers before nodes. Of several constants, the
// last one counts, Constant nodes after initializers: ONNX Runtime and OpenVINO compute with that one, and such models
// exist.
#include "model/graph_view.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/at.h"
#include "model/model.h"
#include "model/onnx_facts.h"
#include "model/producers_first.h"

namespace assay::model {
namespace {

enum Flag : std::uint8_t { kInput = 1, kInitializer = 2, kOutput = 4 };

using base::at;
using Names = std::unordered_set<std::string_view>;

// A name that the body defines anywhere is the body's own, regardless of the order of its nodes.
Names defined_names(const onnx::GraphProto& body) {
  Names names;
  for (const auto& input : body.input()) names.insert(input.name());
  for (const auto& tensor : body.initializer()) names.insert(tensor.name());
  for (const auto& sparse : body.sparse_initializer()) names.insert(sparse.values().name());
  for (const auto& node : body.node()) names.insert(node.output().begin(), node.output().end());
  return names;
}

// Calls read(name) for every use of a tensor that neither `body` nor an enclosing body (in `scopes`) defines.
template <class Read>
void visit_captures(const onnx::GraphProto& body, std::vector<Names>& scopes, const Read& read) {
  scopes.push_back(defined_names(body));
  const auto visit = [&](const std::string& name) {
    if (name.empty()) return;
    if (std::ranges::none_of(scopes, [&](const Names& scope) { return scope.contains(name); })) read(name);
  };
  for (const onnx::NodeProto& node : body.node()) {
    for (const std::string& input : node.input()) visit(input);
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) visit_captures(attribute.g(), scopes, read);
      for (const onnx::GraphProto& nested : attribute.graphs()) visit_captures(nested, scopes, read);
    }
  }
  for (const auto& output : body.output()) visit(output.name());
  scopes.pop_back();
}

// Calls read(name) for every tensor that the node or one of its bodies reads, with repetition.
template <class Read>
void visit_reads(const onnx::NodeProto& node, const Read& read) {
  for (const std::string& name : node.input()) {
    if (!name.empty()) read(name);
  }
  std::vector<Names> scopes;
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.has_g()) visit_captures(attribute.g(), scopes, read);
    for (const onnx::GraphProto& body : attribute.graphs()) visit_captures(body, scopes, read);
  }
}

bool is_constant(const onnx::NodeProto& node) {
  return node.op_type() == "Constant" && is_default_domain(node.domain());
}

// Keeps the first description of each tensor.
template <class Values>
void add_value_infos(const Values& values, const NameTable& names, std::vector<const onnx::ValueInfoProto*>& infos) {
  for (const onnx::ValueInfoProto& value : values) {
    const TensorId id = names.find(value.name());
    if (id == kNone) continue;  // describes a tensor that no longer exists
    const onnx::ValueInfoProto*& known = infos[at(id)];
    if (known == nullptr) known = &value;
  }
}

template <class... Containers>
void reserve(std::size_t count, Containers&... containers) {
  (containers.reserve(count), ...);
}

// Turns pairs (list, item), with items ascending, into concatenated lists.
void group(const std::vector<std::pair<std::int32_t, std::int32_t>>& pairs, std::size_t lists,
           std::vector<std::int32_t>& offsets, std::vector<std::int32_t>& items) {
  offsets.assign(lists + 1, 0);
  for (const auto& [list, item] : pairs) ++offsets[at(list) + 1];
  for (std::size_t i = 0; i < lists; ++i) offsets[i + 1] += offsets[i];
  items.resize(pairs.size());
  std::vector<std::int32_t> next(offsets.begin(), offsets.end() - 1);
  for (const auto& [list, item] : pairs) items[at(next[at(list)]++)] = item;
}

template <class T>
std::span<const T> list_at(const std::vector<T>& items, const std::vector<std::int32_t>& offsets, std::int32_t id) {
  const std::size_t begin = at(offsets[at(id)]);
  return std::span(items).subspan(begin, at(offsets[at(id) + 1]) - begin);
}

}  // namespace

// Fills a view in one pass over the graph.
class GraphView::Builder {
 public:
  explicit Builder(GraphView& view) : view_(view) {
    const onnx::GraphProto& graph = view.graph();
    reserve_memory();
    for (const auto& input : graph.input()) mark(input.name(), kInput);
    for (const auto& tensor : graph.initializer()) {
      view.initializers_[at(mark(tensor.name(), kInitializer))] = &tensor;
    }
    for (const auto& sparse : graph.sparse_initializer()) mark(sparse.values().name(), kInitializer);
    view.input_offsets_.push_back(0);
    view.output_offsets_.push_back(0);
    for (NodeId node = 0; node < view.node_count(); ++node) {
      add_inputs(node);
      add_outputs(node);
    }
    for (const auto& output : graph.output()) mark(output.name(), kOutput);
    group(reads_, view.names_.size(), view.consumer_offsets_, view.consumers_);
    add_value_infos(graph.input(), view.names_, view.value_infos_);
    add_value_infos(graph.output(), view.names_, view.value_infos_);
    add_value_infos(graph.value_info(), view.names_, view.value_infos_);
  }

 private:
  void reserve_memory() {
    const auto nodes = static_cast<std::size_t>(view_.node_count());
    const std::size_t tensors = 2 * nodes + static_cast<std::size_t>(view_.graph().initializer_size());
    reserve(tensors, view_.names_, view_.producers_, view_.flags_, view_.initializers_, view_.value_infos_,
            last_reader_);
    reserve(3 * nodes, reads_, view_.node_inputs_);
    reserve(2 * nodes, view_.node_outputs_);
    reserve(nodes + 1, view_.input_offsets_, view_.output_offsets_);
  }

  TensorId id_of(std::string_view name) {
    const auto [id, added] = view_.names_.add(name);
    if (added) {
      view_.producers_.push_back(kNone);
      view_.flags_.push_back(0);
      view_.initializers_.push_back(nullptr);
      view_.value_infos_.push_back(nullptr);
      last_reader_.push_back(kNone);
    }
    return id;
  }

  TensorId mark(std::string_view name, Flag flag) {
    const TensorId id = id_of(name);
    view_.flags_[at(id)] |= flag;
    return id;
  }

  void add_inputs(NodeId node) {
    visit_reads(view_.node(node), [&](const std::string& name) {
      const TensorId tensor = id_of(name);
      if (std::exchange(last_reader_[at(tensor)], node) == node) return;
      view_.node_inputs_.push_back(tensor);
      reads_.emplace_back(tensor, node);
    });
    view_.input_offsets_.push_back(static_cast<std::int32_t>(view_.node_inputs_.size()));
  }

  void add_outputs(NodeId node) {
    for (const std::string& name : view_.node(node).output()) {
      if (name.empty()) continue;
      const TensorId tensor = id_of(name);
      if (view_.producers_[at(tensor)] == node) continue;  // the node names it twice
      view_.node_outputs_.push_back(tensor);
      define(tensor, node);
    }
    view_.output_offsets_.push_back(static_cast<std::int32_t>(view_.node_outputs_.size()));
  }

  // Records that the node produces the tensor, unless another definition counts.
  void define(TensorId tensor, NodeId node) {
    NodeId& producer = view_.producers_[at(tensor)];
    std::uint8_t& flags = view_.flags_[at(tensor)];
    const bool is_free = producer == kNone && (flags & (kInput | kInitializer)) == 0;
    const bool replaces_constant = is_constant(view_.node(node)) && (flags & kInput) == 0 &&
                                   (producer == kNone || is_constant(view_.node(producer)));
    if (!is_free && !replaces_constant) return;
    producer = node;
    flags &= static_cast<std::uint8_t>(~kInitializer);
    view_.initializers_[at(tensor)] = nullptr;
  }

  GraphView& view_;
  std::vector<NodeId> last_reader_;  // by tensor, so that each node lists it once
  std::vector<std::pair<TensorId, NodeId>> reads_;
};

GraphView::GraphView(const onnx::GraphProto& graph) : graph_(&graph) {
  Builder(*this);
}

TensorId GraphView::find(std::string_view name) const {
  return names_.find(name);
}

std::span<const TensorId> GraphView::inputs(NodeId id) const {
  return list_at(node_inputs_, input_offsets_, id);
}
std::span<const TensorId> GraphView::outputs(NodeId id) const {
  return list_at(node_outputs_, output_offsets_, id);
}
NodeId GraphView::producer(TensorId id) const {
  return id == kNone ? kNone : producers_[at(id)];
}
std::span<const NodeId> GraphView::consumers(TensorId id) const {
  if (id == kNone) return {};
  return list_at(consumers_, consumer_offsets_, id);
}

bool GraphView::is_graph_input(TensorId id) const {
  return id != kNone && (flags_[at(id)] & (kInput | kInitializer)) == kInput;
}
bool GraphView::is_initializer(TensorId id) const {
  return id != kNone && (flags_[at(id)] & kInitializer) != 0;
}
bool GraphView::is_graph_output(TensorId id) const {
  return id != kNone && (flags_[at(id)] & kOutput) != 0;
}
const onnx::TensorProto* GraphView::initializer(TensorId id) const {
  return id == kNone ? nullptr : initializers_[at(id)];
}
const onnx::ValueInfoProto* GraphView::value_info(TensorId id) const {
  return id == kNone ? nullptr : value_infos_[at(id)];
}

std::vector<std::string> captured_names(const onnx::GraphProto& body) {
  std::vector<std::string> order;
  Names seen;
  std::vector<Names> scopes;
  visit_captures(body, scopes, [&](const std::string& name) {
    if (seen.insert(name).second) order.push_back(name);
  });
  return order;
}

namespace {

// Returns a node on a cycle. `rest`: ProducersFirst::rest, not empty. Going from a node there to a producer there again
// and again must reach a node twice.
NodeId find_cycle(const GraphView& view, const std::vector<NodeId>& rest) {
  const std::unordered_set<NodeId> waiting(rest.begin(), rest.end());
  std::unordered_set<NodeId> seen;
  NodeId node = rest.front();
  while (seen.insert(node).second) {
    for (const TensorId input : view.inputs(node)) {
      if (!waiting.contains(view.producer(input))) continue;
      node = view.producer(input);
      break;
    }
  }
  return node;
}

}  // namespace

base::Expected<std::vector<NodeId>> topological_order(const GraphView& view) {
  ProducersFirst nodes = producers_first(view);
  if (!nodes.rest.empty()) {
    const NodeId id = find_cycle(view, nodes.rest);
    return base::fail(base::ErrorKind::invalid_input, "the graph has a cycle: a node depends on its own output",
                      describe_node(view.node(id), id), "Correct the model; no engine can run it");
  }
  return std::move(nodes.sorted);
}

}  // namespace assay::model

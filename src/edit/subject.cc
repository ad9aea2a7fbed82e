// All indexes are arrays over the small integers of GraphView, so a candidate of k nodes makes O(k) look-ups,
// regardless of the size of the model.
#include "edit/subject.h"

#include <algorithm>
#include <utility>

#include "model/dependencies.h"
#include "model/inference/model_frame.h"
#include "model/random_operators.h"

namespace assay::edit {
Subject::Subject(const model::Model& model, Constants constants)
    : model_(model),
      view_(model.graph()),
      frame_(model::model_frame(model.proto)),
      flags_(static_cast<std::size_t>(view_.tensor_count()), 0),
      constant_nodes_(static_cast<std::size_t>(view_.tensor_count()), kNone) {
  const onnx::GraphProto& graph = model.graph();
  initializers_ = index_names(graph.initializer(), [](const auto& tensor) -> auto& { return tensor.name(); });
  sparse_initializers_ =
      index_names(graph.sparse_initializer(), [](const auto& sparse) -> auto& { return sparse.values().name(); });
  value_infos_ = index_names(graph.value_info(), [](const auto& value) -> auto& { return value.name(); });
  for (TensorId id = 0; id < view_.tensor_count(); ++id) {
    if (view_.is_initializer(id)) flags_[index(id)] |= kConstant;
  }
  index_further_producers();
  choose_nodes(constants);
  mark_varying();
}

template <class Values, class Name>
Subject::Positions Subject::index_names(const Values& values, const Name& name) const {
  std::vector<std::pair<TensorId, std::int32_t>> pairs;
  pairs.reserve(static_cast<std::size_t>(values.size()));
  for (std::int32_t i = 0; i < values.size(); ++i) {
    const TensorId id = view_.find(name(values.Get(i)));
    if (id != kNone) pairs.emplace_back(id, i);
  }
  return Positions(std::move(pairs));
}

Subject::Positions::Positions(std::vector<std::pair<TensorId, std::int32_t>> pairs) {
  std::ranges::sort(pairs);
  tensors.reserve(pairs.size());
  positions.reserve(pairs.size());
  for (const auto& [id, position] : pairs) {
    tensors.push_back(id);
    positions.push_back(position);
  }
}

std::span<const std::int32_t> Subject::Positions::of(TensorId id) const {
  const auto [begin, end] = std::ranges::equal_range(tensors, id);
  return std::span(positions).subspan(static_cast<std::size_t>(begin - tensors.begin()),
                                      static_cast<std::size_t>(end - begin));
}

std::span<const std::int32_t> Subject::initializers(TensorId id) const {
  return initializers_.of(id);
}
std::span<const std::int32_t> Subject::sparse_initializers(TensorId id) const {
  return sparse_initializers_.of(id);
}
std::span<const std::int32_t> Subject::value_infos(TensorId id) const {
  return value_infos_.of(id);
}

void Subject::index_further_producers() {
  std::vector<std::pair<TensorId, NodeId>> pairs;
  for (NodeId id = 0; id < view_.node_count(); ++id) {
    for (const TensorId output : view_.outputs(id)) {
      if (view_.producer(output) != id && view_.producer(output) != kNone) pairs.emplace_back(output, id);
    }
  }
  further_producers_ = Positions(std::move(pairs));
}

// A Constant whose output is a graph output stays a node, because not all engines accept an initializer as a graph
// output. It also stays a node if something else defines its output, too.
bool Subject::is_value(NodeId id, Constants constants) const {
  if (constants == Constants::as_nodes) return false;
  const TensorId output = view_.outputs(id).front();
  const NodeId first = view_.producer(output);
  if (first == kNone || view_.is_graph_output(output)) return false;
  const auto is_constant_node = [&](NodeId node) { return constant_value(view_.node(node)).has_value(); };
  return is_constant_node(first) && std::ranges::all_of(further_producers(output), is_constant_node);
}

void Subject::choose_nodes(Constants constants) {
  nodes_.reserve(static_cast<std::size_t>(view_.node_count()));
  for (NodeId id = 0; id < view_.node_count(); ++id) {
    const onnx::NodeProto& node = view_.node(id);
    if (node.op_type() == "Constant" && constant_value(node)) {
      has_constant_nodes_ = true;
      if (is_value(id, constants)) {
        const TensorId output = view_.outputs(id).front();
        flags_[index(output)] |= kConstant;
        constant_nodes_[index(output)] = id;
        continue;
      }
    }
    nodes_.push_back(id);
  }
}

void Subject::mark_varying() {
  std::vector<TensorId> sources;
  for (TensorId id = 0; id < view_.tensor_count(); ++id) {
    if (view_.is_graph_input(id)) sources.push_back(id);
  }
  for (NodeId id = 0; id < view_.node_count(); ++id) {
    if (!model::draws_random_numbers(view_.node(id))) continue;
    sources.insert(sources.end(), view_.outputs(id).begin(), view_.outputs(id).end());
  }
  const std::vector<bool> varies = model::computed_from(view_, std::move(sources));
  for (TensorId id = 0; id < view_.tensor_count(); ++id) {
    if (varies[index(id)]) flags_[index(id)] |= kVaries;
  }
}

}  // namespace assay::edit

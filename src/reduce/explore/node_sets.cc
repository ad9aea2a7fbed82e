// Breadth-first search for distances, and topological order for depths. Both walk the graph view's arrays, so a call
// costs time linear in the size of the graph.
#include "reduce/explore/node_sets.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/at.h"
#include "edit/non_tensors.h"
#include "reduce/candidates/count_nodes.h"

namespace assay::reduce {
namespace {

using base::at;

std::vector<bool> marks(const Nodes& nodes, int count) {
  std::vector<bool> result(at(count), false);
  for (const edit::NodeId id : nodes) result[at(id)] = true;
  return result;
}

bool is_read_by(const edit::Subject& subject, edit::TensorId tensor, const std::vector<bool>& kept) {
  return std::ranges::any_of(subject.view().consumers(tensor), [&](edit::NodeId node) { return kept[at(node)]; });
}

}  // namespace

edit::Selection select(const edit::Subject& subject, Nodes nodes) {
  if (nodes.size() == subject.nodes().size()) return edit::whole(subject);
  const model::GraphView& view = subject.view();
  const std::vector<bool> kept = marks(nodes, view.node_count());
  const std::vector<bool> made = edit::produced_by(subject, nodes);
  edit::Selection selection;
  std::vector<bool> chosen(at(view.tensor_count()), false);
  const auto choose = [&](edit::TensorId id) {
    if (!chosen[at(id)]) selection.outputs.push_back(id);
    chosen[at(id)] = true;
  };
  for (const onnx::ValueInfoProto& output : subject.model().graph().output()) {
    const edit::TensorId id = view.find(output.name());
    if (made[at(id)]) choose(id);
  }
  for (const edit::NodeId node : nodes) {
    for (const edit::TensorId id : view.outputs(node)) {
      if (!view.consumers(id).empty() && !is_read_by(subject, id, kept)) choose(id);
    }
  }
  // Nothing reads what the nodes produce, neither here nor in the model, but a model needs an output.
  if (selection.outputs.empty() && !nodes.empty() && !view.outputs(nodes.back()).empty()) {
    choose(view.outputs(nodes.back()).front());
  }
  // `outputs` grows while it is walked; what is put into one sequence may be another one.
  for (std::size_t i = 0; i < selection.outputs.size(); ++i) {
    const edit::NodeId producer = view.producer(selection.outputs[i]);
    if (producer == edit::kNone || !kept[at(producer)] || !edit::makes_non_tensor(view.node(producer))) continue;
    for (const edit::TensorId input : view.inputs(producer)) {
      if (made[at(input)]) choose(input);
    }
  }
  selection.nodes = std::move(nodes);
  return selection;
}

std::vector<int> distances(const edit::Subject& subject, const Nodes& within, const Nodes& seeds, Direction direction) {
  const model::GraphView& view = subject.view();
  const std::vector<bool> inside = marks(within, view.node_count());
  std::vector<int> distance(at(view.node_count()), -1);
  std::vector<edit::NodeId> queue;
  const auto reach = [&](edit::NodeId node, int steps) {
    if (node == edit::kNone || !inside[at(node)] || distance[at(node)] >= 0) return;
    distance[at(node)] = steps;
    queue.push_back(node);
  };
  for (const edit::NodeId seed : seeds) reach(seed, 0);
  std::vector<bool> walked(at(view.tensor_count()), false);  // tensors whose readers have been reached
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const edit::NodeId node = queue[i];
    const int steps = distance[at(node)] + 1;
    const auto reach_readers = [&](edit::TensorId tensor) {
      if (walked[at(tensor)]) return;
      walked[at(tensor)] = true;
      for (const edit::NodeId reader : view.consumers(tensor)) reach(reader, steps);
    };
    for (const edit::TensorId tensor : view.inputs(node)) {
      reach(view.producer(tensor), steps);
      for (const edit::NodeId producer : subject.further_producers(tensor)) reach(producer, steps);
      if (direction == Direction::any && subject.varies(tensor)) reach_readers(tensor);
    }
    if (direction == Direction::against) continue;
    for (const edit::TensorId tensor : view.outputs(node)) reach_readers(tensor);
  }
  std::vector<int> result;
  result.reserve(within.size());
  for (const edit::NodeId node : within) result.push_back(distance[at(node)]);
  return result;
}

// Kahn's algorithm backwards from the seeds: a node gets its depth once all of its readers that lead to a seed have
// theirs.
std::vector<int> depths(const edit::Subject& subject, const Nodes& within, const Nodes& seeds) {
  const model::GraphView& view = subject.view();
  const std::vector<int> reached = distances(subject, within, seeds, Direction::against);
  std::vector<bool> leads(at(view.node_count()), false);
  for (std::size_t i = 0; i < within.size(); ++i) leads[at(within[i])] = reached[i] >= 0;
  const auto each_producer = [&](edit::NodeId node, const auto& visit) {
    for (const edit::TensorId tensor : view.inputs(node)) {
      if (const edit::NodeId first = view.producer(tensor); first != edit::kNone && leads[at(first)]) visit(first);
      for (const edit::NodeId further : subject.further_producers(tensor)) {
        if (leads[at(further)]) visit(further);
      }
    }
  };
  std::vector<int> readers(at(view.node_count()), 0);
  for (const edit::NodeId node : within) {
    if (leads[at(node)]) each_producer(node, [&](edit::NodeId producer) { ++readers[at(producer)]; });
  }
  std::vector<int> depth(at(view.node_count()), -1);
  std::vector<edit::NodeId> queue;
  for (const edit::NodeId seed : seeds) {
    if (leads[at(seed)] && readers[at(seed)] == 0) queue.push_back(seed);
  }
  for (const edit::NodeId seed : queue) depth[at(seed)] = 0;
  std::vector<int> found(at(view.node_count()), 0);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    each_producer(queue[i], [&](edit::NodeId producer) {
      found[at(producer)] = std::max(found[at(producer)], depth[at(queue[i])] + 1);
      if (--readers[at(producer)] > 0) return;
      depth[at(producer)] = found[at(producer)];
      queue.push_back(producer);
    });
  }
  std::vector<int> result;
  result.reserve(within.size());
  for (const edit::NodeId node : within) result.push_back(depth[at(node)]);
  return result;
}

std::vector<std::int64_t> node_counts(const edit::Subject& subject, const Nodes& nodes) {
  std::vector<const onnx::NodeProto*> protos;
  protos.reserve(nodes.size());
  for (const edit::NodeId node : nodes) protos.push_back(&subject.view().node(node));
  return count_in_each(subject.model(), protos);
}

Nodes minus(const Nodes& from, const Nodes& without) {
  Nodes result;
  std::ranges::set_difference(from, without, std::back_inserter(result));
  return result;
}

}  // namespace assay::reduce

// Visits all nodes on such paths in topological order. Whenever only one of the tensors produced so far still has
// readers to come, every path passes through that tensor: it separates the nodes visited so far from all others. So a
// segment ends there.
#include "reduce/passes/path_segments.h"

#include <algorithm>
#include <utility>

#include "base/at.h"

namespace assay::reduce {
namespace {

using base::at;

// Returns for each node whether it lies on a path. `order` is topological.
std::vector<bool> on_paths(const model::GraphView& view, const std::vector<model::NodeId>& order) {
  const model::NodeId last = view.node_count() - 1;
  std::vector<bool> leads(at(view.node_count()), false);
  leads[at(last)] = true;
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    for (const model::TensorId tensor : view.outputs(*node)) {
      for (const model::NodeId reader : view.consumers(tensor))
        leads[at(*node)] = leads[at(*node)] || leads[at(reader)];
    }
  }
  const auto first = static_cast<model::NodeId>(std::ranges::find(leads, true) - leads.begin());
  std::vector<bool> reached(at(view.node_count()), false);
  reached[at(first)] = true;
  for (const model::NodeId node : order) {
    for (const model::TensorId tensor : view.inputs(node)) {
      const model::NodeId producer = view.producer(tensor);
      if (producer != model::kNone && reached[at(producer)] && leads[at(producer)]) reached[at(node)] = true;
    }
  }
  for (std::size_t i = 0; i < leads.size(); ++i) leads[i] = leads[i] && reached[i];
  return leads;
}

// Returns for each tensor how many nodes on paths read it.
std::vector<int> count_readers(const model::GraphView& view, const std::vector<bool>& on_path) {
  std::vector<int> readers(at(view.tensor_count()), 0);
  for (model::TensorId tensor = 0; tensor < view.tensor_count(); ++tensor) {
    for (const model::NodeId reader : view.consumers(tensor)) readers[at(tensor)] += on_path[at(reader)] ? 1 : 0;
  }
  return readers;
}

}  // namespace

std::vector<PathSegment> path_segments(const model::GraphView& view) {
  if (view.node_count() == 0) return {};
  const auto order = model::topological_order(view);
  if (!order) return {};
  const std::vector<bool> on_path = on_paths(view, *order);
  std::vector<int> readers = count_readers(view, on_path);
  std::vector<bool> waits(at(view.tensor_count()), false);
  std::vector<model::TensorId> waiting;
  std::vector<PathSegment> segments;
  PathSegment segment;
  for (const model::NodeId node : *order) {
    if (!on_path[at(node)]) continue;
    segment.nodes.push_back(node);
    for (const model::TensorId tensor : view.inputs(node)) readers[at(tensor)] -= waits[at(tensor)] ? 1 : 0;
    std::erase_if(waiting, [&](model::TensorId tensor) { return readers[at(tensor)] == 0; });
    for (const model::TensorId tensor : view.outputs(node)) {
      if (readers[at(tensor)] == 0) continue;
      waits[at(tensor)] = true;
      waiting.push_back(tensor);
    }
    if (waiting.size() != 1) continue;
    const std::string waist(view.name(waiting.front()));
    std::ranges::sort(segment.nodes);
    segment.to = waist;
    if (!segment.from.empty()) segments.push_back(std::move(segment));
    segment = {.from = waist, .to = {}, .nodes = {}};
  }
  return segments;
}

std::vector<model::NodeId> needed_only_by(const model::GraphView& view, const std::vector<bool>& removed,
                                          const std::vector<model::TensorId>& still_read) {
  const auto order = model::topological_order(view);
  if (!order) return {};
  std::vector<bool> gone = removed;
  std::vector<model::NodeId> result;
  for (auto node = order->rbegin(); node != order->rend(); ++node) {
    if (gone[at(*node)]) continue;
    bool is_read = false;
    bool is_needed = false;
    for (const model::TensorId tensor : view.outputs(*node)) {
      const bool will_be_read = std::ranges::find(still_read, tensor) != still_read.end();
      is_needed = is_needed || will_be_read || view.is_graph_output(tensor);
      for (const model::NodeId reader : view.consumers(tensor)) {
        is_read = true;
        is_needed = is_needed || !gone[at(reader)];
      }
    }
    if (!is_read || is_needed) continue;
    gone[at(*node)] = true;
    result.push_back(*node);
  }
  std::ranges::sort(result);
  return result;
}

}  // namespace assay::reduce

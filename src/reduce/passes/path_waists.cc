// Visits all nodes on such paths in topological order. Whenever only one of the tensors produced so far still has
// readers to come, every path passes through that tensor, once all paths have begun.
#include "reduce/passes/path_waists.h"

#include <algorithm>
#include <utility>

#include "base/at.h"

namespace assay::reduce {
namespace {

using base::at;

// Returns for each node whether it lies on a path. `order` is topological. Sets `paths.from` if it is empty.
std::vector<bool> on_paths(const model::GraphView& view, const std::vector<model::NodeId>& order, Paths& paths) {
  const auto is_within = [&](model::NodeId node) { return paths.within.empty() || paths.within[at(node)]; };
  std::vector<bool> leads(at(view.node_count()), false);
  leads[at(paths.to)] = true;
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    if (!is_within(*node)) continue;
    for (const model::TensorId tensor : view.outputs(*node)) {
      for (const model::NodeId reader : view.consumers(tensor))
        leads[at(*node)] = leads[at(*node)] || leads[at(reader)];
    }
  }
  if (paths.from.empty()) paths.from = {static_cast<model::NodeId>(std::ranges::find(leads, true) - leads.begin())};
  std::erase_if(paths.from, [&](model::NodeId node) { return !leads[at(node)]; });
  std::vector<bool> reached(at(view.node_count()), false);
  for (const model::NodeId node : paths.from) reached[at(node)] = true;
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

std::vector<Waist> path_waists(const model::GraphView& view, const Paths& paths) {
  if (view.node_count() == 0) return {};
  const auto order = model::topological_order(view);
  if (!order) return {};
  Paths between = paths;
  const std::vector<bool> on_path = on_paths(view, *order, between);
  std::vector<int> readers = count_readers(view, on_path);
  std::vector<bool> waits(at(view.tensor_count()), false);
  std::vector<model::TensorId> waiting;
  std::vector<Waist> waists;
  Waist waist;
  std::size_t begun = 0;
  for (const model::NodeId node : *order) {
    if (!on_path[at(node)]) continue;
    if (std::ranges::find(between.from, node) != between.from.end()) ++begun;
    waist.nodes.push_back(node);
    for (const model::TensorId tensor : view.inputs(node)) readers[at(tensor)] -= waits[at(tensor)] ? 1 : 0;
    std::erase_if(waiting, [&](model::TensorId tensor) { return readers[at(tensor)] == 0; });
    for (const model::TensorId tensor : view.outputs(node)) {
      if (readers[at(tensor)] == 0) continue;
      waits[at(tensor)] = true;
      waiting.push_back(tensor);
    }
    if (waiting.size() != 1 || begun < between.from.size()) continue;
    waist.tensor = waiting.front();
    waists.push_back(std::exchange(waist, {}));
  }
  return waists;
}

}  // namespace assay::reduce

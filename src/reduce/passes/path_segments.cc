#include "reduce/passes/path_segments.h"

#include <algorithm>
#include <utility>

#include "base/at.h"
#include "reduce/passes/path_waists.h"

namespace assay::reduce {
namespace {

using base::at;

}  // namespace

std::vector<PathSegment> path_segments(const model::GraphView& view) {
  if (view.node_count() == 0) return {};
  std::vector<PathSegment> segments;
  std::string from;
  for (Waist& waist : path_waists(view, {.from = {}, .to = view.node_count() - 1})) {
    std::string to(view.name(waist.tensor));
    std::ranges::sort(waist.nodes);
    if (!from.empty()) segments.push_back({.from = from, .to = to, .nodes = std::move(waist.nodes)});
    from = std::move(to);
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

// Kahn's algorithm, smallest index first.
#include "model/producers_first.h"

#include <cstdint>
#include <functional>
#include <queue>

#include "base/at.h"

namespace assay::model {

using base::at;

ProducersFirst producers_first(const GraphView& view) {
  std::vector<std::int32_t> waiting_for(at(view.node_count()), 0);  // number of tensors that each node still waits for
  std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
  for (NodeId id = 0; id < view.node_count(); ++id) {
    for (const TensorId input : view.inputs(id)) waiting_for[at(id)] += view.producer(input) != kNone ? 1 : 0;
    if (waiting_for[at(id)] == 0) ready.push(id);
  }
  ProducersFirst result;
  result.sorted.reserve(waiting_for.size());
  while (!ready.empty()) {
    const NodeId id = ready.top();
    ready.pop();
    result.sorted.push_back(id);
    for (const TensorId output : view.outputs(id)) {
      if (view.producer(output) != id) continue;
      for (const NodeId consumer : view.consumers(output)) {
        if (--waiting_for[at(consumer)] == 0) ready.push(consumer);
      }
    }
  }
  for (NodeId id = 0; id < view.node_count(); ++id) {
    if (waiting_for[at(id)] > 0) result.rest.push_back(id);
  }
  return result;
}

}  // namespace assay::model

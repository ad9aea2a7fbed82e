// Plans which constant results to compute so that nodes can be removed.
#pragma once

#include <functional>
#include <vector>

#include "model/graph_view.h"

namespace assay::surgeon {

struct FoldPlan {
  std::vector<model::TensorId> wanted;  // results that become initializers; ascending
  std::vector<bool> stays;              // by node: foldable, but needed for a result that must stay computed
};

// Starts from the graph's outputs and from what nodes that aren't foldable read. `may_be_value` says which results may
// become initializers; for others, the node stays and its inputs are wanted instead.
FoldPlan plan_fold(const model::GraphView& view, const std::vector<bool>& foldable,
                   const std::function<bool(model::TensorId)>& may_be_value);

// Returns the foldable nodes that must be run for these results, in the order of `order`.
std::vector<model::NodeId> nodes_for(const model::GraphView& view, const std::vector<bool>& foldable,
                                     const std::vector<model::TensorId>& results,
                                     const std::vector<model::NodeId>& order);

}  // namespace assay::surgeon

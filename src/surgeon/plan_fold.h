// Which constant results have to be known, so that which nodes can go.
#pragma once

#include <functional>
#include <vector>

#include "model/graph_view.h"

namespace assay::surgeon {

struct FoldPlan {
  std::vector<model::TensorId> wanted;  // become initializers; ascending
  std::vector<bool> stays;              // by node: foldable, but needed for a result that may not become a value
};

// Starts from what is read by nodes that are not foldable and by the graph's outputs. `may_be_value` says which results
// may become initializers; for the others their node stays, and what it reads is wanted instead.
FoldPlan plan_fold(const model::GraphView& view, const std::vector<bool>& foldable,
                   const std::function<bool(model::TensorId)>& may_be_value);

// The foldable nodes that have to be run for these results, in the order that `order` gives.
std::vector<model::NodeId> nodes_for(const model::GraphView& view, const std::vector<bool>& foldable,
                                     const std::vector<model::TensorId>& results,
                                     const std::vector<model::NodeId>& order);

}  // namespace assay::surgeon

// Finds what tensors depend on, and what depends on them.
#pragma once

#include <span>
#include <vector>

#include "base/at.h"
#include "model/graph_view.h"

namespace assay::model {

// Returns, for each node, whether one of the tensors depends on it: it computes the tensor, or an input of such a node.
// `is_given(tensor)` is asked about tensors that a node computes; nodes aren't needed for those for which it returns
// true.
template <class IsGiven>
std::vector<bool> needed_nodes(const GraphView& view, std::span<const TensorId> tensors, const IsGiven& is_given) {
  std::vector<bool> needed(base::at(view.node_count()), false);
  std::vector<NodeId> pending;
  const auto need = [&](TensorId tensor) {
    const NodeId producer = view.producer(tensor);
    if (producer == kNone || needed[base::at(producer)] || is_given(tensor)) return;
    needed[base::at(producer)] = true;
    pending.push_back(producer);
  };
  for (const TensorId tensor : tensors) need(tensor);
  while (!pending.empty()) {
    const NodeId node = pending.back();
    pending.pop_back();
    for (const TensorId input : view.inputs(node)) need(input);
  }
  return needed;
}

// Returns, for each node, whether an output of the graph depends on it.
std::vector<bool> needed_nodes(const GraphView& view);

// Returns, for each tensor, whether it is one of these or computed from one of them. kNone is skipped.
std::vector<bool> computed_from(const GraphView& view, std::vector<TensorId> tensors);

}  // namespace assay::model

// Finds attention layers in the form MatMul(Softmax(MatMul(Q, K)), V).
#pragma once

#include <vector>

#include "model/graph_view.h"

namespace assay::shard {

struct Attention {
  model::NodeId scores = model::kNone;  // the MatMul of Q and K
  model::NodeId result = model::kNone;  // the MatMul with V
};

// Returns the layers in the order of their first nodes. The Softmax may have other readers; a MatMul that reads V first
// isn't a layer.
std::vector<Attention> find_attention(const model::GraphView& view);

}  // namespace assay::shard

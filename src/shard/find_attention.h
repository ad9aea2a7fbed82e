// Finds attention layers in the form MatMul(Softmax(MatMul(Q, K)), V).
#pragma once

#include <string>
#include <vector>

#include "model/graph_view.h"

namespace assay::shard {

// What the first MatMul reads. The numbers are those of Polygraphy.
enum class AttentionForm {
  plain = 0,   // Q and K
  scaled = 1,  // Q and K, each multiplied by a factor, as PyTorch exports scaled_dot_product_attention
};

struct Attention {
  model::NodeId scores = model::kNone;  // the MatMul of Q and K
  model::NodeId result = model::kNone;  // the MatMul with V
  std::string q;                        // Q, before it is scaled
};

// Returns the layers of this form in the order of their first nodes. The Softmax may have other readers; a MatMul that
// reads V first isn't a layer.
std::vector<Attention> find_attention(const model::GraphView& view, AttentionForm form);

}  // namespace assay::shard

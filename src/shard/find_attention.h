// Finds attention layers in the form MatMul(Softmax(MatMul(Q, K)), V).
#pragma once

#include <string>
#include <vector>

#include "model/graph_view.h"

namespace assay::shard {

// How Q and K are scaled, by the number that Polygraphy gives to the form.
enum class AttentionForm {
  plain = 0,  // not between Q and the first MatMul
  scaled =
      1,  // both are multiplied by a factor before the first MatMul, as PyTorch exports scaled_dot_product_attention
};

struct Attention {
  model::NodeId scores = model::kNone;  // the MatMul of Q and K
  model::NodeId shares = model::kNone;  // the Softmax
  model::NodeId result = model::kNone;  // the MatMul with V
  std::string q;                        // Q, before it is scaled
};

// Returns the layers of this form in the order of their first nodes. The Softmax may have other readers; a MatMul that
// reads V first isn't a layer.
std::vector<Attention> find_attention(const model::GraphView& view, AttentionForm form);

}  // namespace assay::shard

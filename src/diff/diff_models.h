// Compares two models.
#pragma once

#include "base/error.h"
#include "diff/model_diff.h"
#include "model/model.h"

namespace assay::diff {

// Differences that don't count.
struct Ignore {
  bool names = false;  // of nodes, tensors, graphs and symbolic dimensions
  bool order = false;  // of nodes, inputs and outputs
  bool doc_strings = false;
};

// Nodes and weights are matched by structure (match_graphs.h), so the two models may have other names and another
// order. How a tensor is stored (raw, typed or external data), and the order of what has no order (weights, types of
// tensors, attributes, operator sets, metadata) make no difference. Reads all weights once, and changed ones twice, in
// a stream. Errors: those of model::read_weight().
base::Expected<ModelDiff> diff_models(const model::Model& first, const model::Model& second, const Ignore& ignore);

}  // namespace assay::diff

// Finds nodes whose results are the same in every run because everything that they read is constant.
#pragma once

#include <vector>

#include "model/graph_view.h"
#include "surgeon/graph/constants.h"

namespace assay::surgeon {

// Decides which operators may be computed ahead of time. Excludes those that draw random numbers, and those that
// express the precision of an engine (QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear), because engines look
// for them.
class FoldableOps {
 public:
  // Refers to the model, whose local functions it examines.
  explicit FoldableOps(const onnx::ModelProto& model);
  // Checks the node itself, its bodies, and the body of the function that it calls. `constants` decides whether a
  // Dropout is in training mode.
  [[nodiscard]] bool allows(const onnx::NodeProto& node, const Constants& constants) const;

 private:
  [[nodiscard]] bool is_fixed(const onnx::NodeProto& node, const Constants* constants, int depth) const;
  const onnx::ModelProto& model_;
};

// Returns for each node of the view's graph whether it is allowed and reads nothing, also in its bodies, but constants
// and outputs of such nodes. `constants` are those visible in the graph.
std::vector<bool> find_foldable(const model::GraphView& view, const Constants& constants, const FoldableOps& ops);

}  // namespace assay::surgeon

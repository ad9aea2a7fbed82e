// Nodes whose results are the same in every run, because all that they read is constant.
#pragma once

#include <vector>

#include "model/graph_view.h"
#include "model/model.h"
#include "surgeon/constants.h"

namespace assay::surgeon {

// Tells which operators may be worked out beforehand. Not those that draw random numbers, nor those that stand for the
// precision of an engine (QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear): engines look for them.
class FoldableOps {
 public:
  // Looks into the model's local functions; refers to them.
  explicit FoldableOps(const onnx::ModelProto& model);
  // The node itself, its bodies, and the body of the function that it calls. `constants` decides whether a Dropout is
  // in training.
  [[nodiscard]] bool allows(const onnx::NodeProto& node, const Constants& constants) const;

 private:
  [[nodiscard]] bool is_fixed(const onnx::NodeProto& node, const Constants* constants, int depth) const;
  const onnx::ModelProto& model_;
};

// One flag a node of the view's graph: it is allowed, and reads nothing but constants and what such nodes make, in its
// bodies too. `constants` are those that the graph sees.
std::vector<bool> find_foldable(const model::GraphView& view, const Constants& constants, const FoldableOps& ops);

}  // namespace assay::surgeon

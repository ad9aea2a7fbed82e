// Values that follow from shapes alone.
#pragma once

#include <vector>

#include "model/graph_view.h"
#include "model/model.h"
#include "surgeon/constants.h"
#include "surgeon/known_shapes.h"
#include "tensor/tensor.h"

namespace assay::surgeon {

// A node whose one output is this value in every run.
struct KnownValue {
  model::NodeId node;
  tensor::Tensor value;
};

// Shape and Size of tensors whose dimensions are known, and Gather and Slice (along the one axis, with constant
// indices) of a Shape of which only the dimensions that they take are known. What builds on these is found by plain
// folding. `model` is where the constants' values are read.
std::vector<KnownValue> fold_shapes(const model::Model& model, const model::GraphView& view, const Constants& constants,
                                    const KnownShapes& shapes);

}  // namespace assay::surgeon

// Finds values that follow from shapes alone.
#pragma once

#include <vector>

#include "model/graph_view.h"
#include "model/model.h"
#include "surgeon/fold/known_shapes.h"
#include "surgeon/graph/constants.h"
#include "tensor/tensor.h"

namespace assay::surgeon {

// A node whose only output has this value in every run.
struct KnownValue {
  model::NodeId node;
  tensor::Tensor value;
};

// Handles Shape and Size of tensors with known dimensions, and Gather and Slice (along the only axis, with constant
// indices) of a Shape of which only the selected dimensions are known. Plain folding finds what builds on these.
// `model` supplies the constants' values.
std::vector<KnownValue> fold_shapes(const model::Model& model, const model::GraphView& view, const Constants& constants,
                                    const KnownShapes& shapes);

}  // namespace assay::surgeon

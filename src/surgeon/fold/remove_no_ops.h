// Removes nodes that return what they read.
#pragma once

#include "model/model.h"

namespace assay::surgeon {

// Removes, in the graph and in all bodies, Identity, a Dropout that isn't in training mode, a Cast to the type that the
// tensor has, a Transpose that keeps the order, Concat, Sum, Max, Min and Mean of one tensor, and nodes that change the
// shape (Reshape, Flatten, Squeeze, Unsqueeze, Expand, Tile, Slice) if the shapes before and after are known and equal.
// Nodes that compute an output of their graph stay. Returns the number of nodes removed.
int remove_no_ops(model::Model& model);

}  // namespace assay::surgeon

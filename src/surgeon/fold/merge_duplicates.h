// Merges nodes that compute the same.
#pragma once

#include "model/model.h"

namespace assay::surgeon {

// Merges, in the graph and in each body by itself, ONNX's own operators and local functions that have the same
// attributes and read the same tensors: one of them stays, and all readers read its outputs. Before that, dense
// initializers that are stored in the same way are merged, unless callers can set them. Nodes that compute an output of
// their graph, draw random numbers or have bodies stay, and so do those that quantize and dequantize, because engines
// look for them. Returns the number of nodes removed.
int merge_duplicates(model::Model& model);

}  // namespace assay::surgeon

// Tensors that decide how large another tensor becomes, without anything that bounds them.
#pragma once

#include <string>
#include <vector>

#include "model/graph_view.h"

namespace assay::model {

// A tensor that one of the model's own nodes computes, and whose value is the size of a dimension that the model knows
// nothing else about: the limit of a Range, the shape of an Expand, the repeats of a Tile, the pads of a Pad, the sizes
// of a Resize. An engine that has to reserve memory beforehand cannot run such a model; a Min behind the tensor bounds
// it.
struct UnboundedSize {
  std::string tensor;  // the tensor that decides
  NodeId node;         // the first node whose output's size it decides
};

// Of the outer graph, in the order of its nodes, each tensor once. Needs shapes in value_info (infer_shapes): a
// dimension whose symbol appears in an input or in an earlier tensor is not new, and an output without a shape is
// not looked at. A tensor that is made by Min is bounded.
std::vector<UnboundedSize> find_unbounded_sizes(const GraphView& view);

}  // namespace assay::model

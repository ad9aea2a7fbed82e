// Finds tensors that decide the size of another tensor and that nothing bounds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/graph_view.h"

namespace assay::model {

// A tensor that one of the model's own nodes computes and whose value is the size of an otherwise unknown dimension:
// the limit of a Range, the shape of an Expand, the repeats of a Tile, the pads of a Pad, the sizes of a Resize. An
// engine that reserves memory beforehand can't run such a model; a Min after the tensor bounds it.
struct UnboundedSize {
  std::string tensor;  // name of the tensor that decides the size
  NodeId node;         // the first node whose output's size it decides
};

// Returns the unbounded sizes of the outer graph in topological order, each tensor once. Needs shapes in value_info
// (infer_shapes): a dimension isn't new if its symbol appears in an input or in an earlier tensor, and outputs without
// a shape are ignored. A tensor that Min produces counts as bounded.
std::vector<UnboundedSize> find_unbounded_sizes(const GraphView& view);

// Returns the number of nodes whose output would have such a size if its shape were known.
std::size_t count_unknown_sizes(const GraphView& view);

}  // namespace assay::model

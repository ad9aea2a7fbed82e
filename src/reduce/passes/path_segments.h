// Cuts a graph into consecutive segments: an early culprit and a late one need a path between them, but usually not the
// nodes on it.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "model/graph_view.h"

namespace assay::reduce {

struct PathSegment {
  std::string from;                  // the tensor that it starts from
  std::string to;                    // the tensor that it ends with
  std::vector<model::NodeId> nodes;  // between them, ascending; the last in topological order produces `to`
};

// Returns the segments, in order, of the paths to the last node of the file from the first node that leads to it. A
// single tensor, through which every path passes, connects each segment to the next. Nodes before the first such tensor
// or after the last one, and nodes on no such path, belong to no segment. Returns nothing if the graph has a cycle.
std::vector<PathSegment> path_segments(const model::GraphView& view);

// Returns the nodes that only the nodes of `removed` (by id) need, because they compute settings or constants for them.
// `still_read`: tensors that other nodes will read.
std::vector<model::NodeId> needed_only_by(const model::GraphView& view, const std::vector<bool>& removed,
                                          const std::vector<model::TensorId>& still_read);

}  // namespace assay::reduce

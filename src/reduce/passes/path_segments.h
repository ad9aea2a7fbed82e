// Cuts a graph into pieces that lie one behind the other: a culprit early and a culprit late need a path between them,
// but mostly not what lies on it.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "model/graph_view.h"

namespace assay::reduce {

struct PathSegment {
  std::string from;                  // the tensor that it starts from
  std::string to;                    // the tensor that it ends with
  std::vector<model::NodeId> nodes;  // between them, ascending; the last in a topological order makes `to`
};

// The segments of all paths from the first node of the file that leads to the last one, to the last one, in their
// order. Between two of them lies a single tensor: no path passes it by. Nodes before the first such tensor and after
// the last one belong to no segment, nor do nodes that lie on no such path. Empty if the graph has a cycle.
std::vector<PathSegment> path_segments(const model::GraphView& view);

// The nodes that only the nodes of `removed` (by id) need: they compute settings of these, or feed them with constants.
// `still_read`: tensors that something else will read.
std::vector<model::NodeId> needed_only_by(const model::GraphView& view, const std::vector<bool>& removed,
                                          const std::vector<model::TensorId>& still_read);

}  // namespace assay::reduce

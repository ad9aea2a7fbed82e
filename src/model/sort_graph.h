// Sorts the nodes of a graph so that every tensor is produced before it is read, as ONNX requires. ONNX Runtime accepts
// files in any order, so such models exist.
#pragma once

#include <onnx/onnx_pb.h>

#include <vector>

#include "base/error.h"
#include "model/graph_view.h"

namespace assay::model {

// Sorts the nodes of a graph, but not those of bodies; a valid order stays as it is. Nodes are moved, not copied.
// Returns the former index of each node. Errors: invalid_input, naming a node on a cycle; the graph is then unchanged.
base::Expected<std::vector<NodeId>> sort_graph(onnx::GraphProto& graph);

// Undoes sort_graph(). `order`: what it returned.
void unsort_graph(onnx::GraphProto& graph, const std::vector<NodeId>& order);

}  // namespace assay::model

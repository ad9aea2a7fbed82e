// Makes names available for new inputs of a graph.
#pragma once

#include <onnx/onnx_pb.h>

#include <set>
#include <string>

namespace assay::surgeon {

// Renames results of nodes and tensors of bodies that have one of these names: a tensor can't be defined twice, and a
// body can't define a name that is visible around it. What reads the names in the graph then reads the inputs.
void free_names(onnx::GraphProto& graph, const std::set<std::string>& names);

}  // namespace assay::surgeon

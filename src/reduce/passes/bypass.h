// Proposals to bypass nodes, shared by several passes.
#pragma once

#include <vector>

#include "reduce/passes/pass.h"

namespace assay::reduce {

// Return proposals to bypass the nodes that `wanted` accepts, in the outer graph or in bodies.
using WantedNode = bool (*)(const onnx::NodeProto& node);
std::vector<edit::ModelChange> bypass_outer_nodes(const PassInput& input, WantedNode wanted);
std::vector<edit::ModelChange> bypass_nodes_in_bodies(const PassInput& input, WantedNode wanted);

}  // namespace assay::reduce

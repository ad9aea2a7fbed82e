// Bypassing, as passes share it.
#pragma once

#include <vector>

#include "reduce/passes/pass.h"

namespace assay::reduce {

// Proposals for the nodes of the outer graph (of bodies) that `wanted` accepts.
using WantedNode = bool (*)(const onnx::NodeProto& node);
std::vector<edit::ModelChange> bypass_outer_nodes(const PassInput& input, WantedNode wanted);
std::vector<edit::ModelChange> bypass_nodes_in_bodies(const PassInput& input, WantedNode wanted);

}  // namespace assay::reduce

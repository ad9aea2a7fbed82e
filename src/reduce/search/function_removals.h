// Lists the ways to remove one node of a local function: one of its inputs takes the place of its output (a bypass), or
// its outputs become inputs of the function and of all calls of it, unless the function returns them.
#pragma once

#include <vector>

#include "edit/changes/model_change.h"
#include "reduce/search/body_removals.h"

namespace assay::reduce {

// Returns the nodes of all functions that are called. A node has to stay if the function has no other node, or no other
// tensor that it could return instead.
std::vector<InnerNode> function_nodes(const model::Model& model);

// Returns the ways; their `node` is the position in function_nodes(). `known` must outlive them.
std::vector<InnerRemoval> function_removals(const SharedModel& model, const edit::ValueInfos& known);

}  // namespace assay::reduce

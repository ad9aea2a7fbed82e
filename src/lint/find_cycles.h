// Finds the cycles of a graph.
#pragma once

#include <vector>

#include "model/graph_view.h"

namespace assay::lint {

// Returns the sets of nodes each of which depends on every other, and single nodes that read their own results. Each
// set is ascending, and so are the sets by their first nodes. A node is in at most one.
std::vector<std::vector<model::NodeId>> find_cycles(const model::GraphView& view);

}  // namespace assay::lint

// Sorts the nodes of a graph by what they read, as far as that is possible.
#pragma once

#include <vector>

#include "model/graph_view.h"

namespace assay::model {

struct ProducersFirst {
  std::vector<NodeId> sorted;  // each after the producers of what it reads, else in the file's order
  std::vector<NodeId> rest;    // ascending: those on a cycle, and those that need one of them
};

// Never fails, in contrast to topological_order().
ProducersFirst producers_first(const GraphView& view);

}  // namespace assay::model

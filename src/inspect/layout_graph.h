// Places the nodes of a graph for a drawing: in rows from inputs to outputs, chains as straight as possible.
#pragma once

#include <cstddef>
#include <vector>

namespace assay::inspect {

struct Spot {
  std::size_t row = 0;  // behind the rows of all its sources; from 0
  double column = 0;    // nodes of a row are at least 1 apart
};

// sources[i] lists the nodes whose results node i reads, in any order; indices must be in range. Nodes on a cycle,
// which only an invalid model has, are placed as if they had no sources. Source of the method: Sugiyama's layers, with
// one sweep of averages instead of a minimum of crossings.
std::vector<Spot> layout_graph(const std::vector<std::vector<std::size_t>>& sources);

}  // namespace assay::inspect

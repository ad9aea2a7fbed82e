// The comparable part of a model as a graph of small integers. The search (search.h) knows nothing else of the model.
//
// A cell is a node with at least one result that both sides have, together with the nodes before it whose results can't
// be compared (constants; nodes that only one of two models has; tensors that the golden outputs lack).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::locate {

using CellId = std::int32_t;

struct CellGraph {
  // Cells in topological order. parents[i]: the cells whose results cell i reads, each once; all are smaller than i.
  std::vector<std::vector<CellId>> parents;
  std::vector<std::uint64_t> bytes;  // bytes of both sides' results of each cell, as far as known

  [[nodiscard]] std::size_t size() const { return parents.size(); }
};

// Returns, for each cell, its distance to `anchor` against the direction of the edges: 0 for the anchor, 1 for its
// parents, and so on; -1 for cells that it doesn't depend on.
std::vector<int> distances_to(const CellGraph& graph, CellId anchor);

// Returns consecutive groups of cells that take at most `budget` bytes each; a larger cell gets a group of its own.
std::vector<std::vector<CellId>> plan_windows(const CellGraph& graph, std::uint64_t budget);

}  // namespace assay::locate

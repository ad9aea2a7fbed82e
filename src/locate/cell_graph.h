// What of a model can be compared, as a graph of small integers: all that the search knows of the model.
//
// A cell is a node of which at least one result can be had from both sides, together with nodes before it whose results
// cannot (constants; nodes that only one of two models has; tensors that golden outputs lack).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::locate {

using CellId = std::int32_t;

struct CellGraph {
  // Cells in topological order. parents[i]: the cells whose results cell i reads; all of them below i, each once.
  std::vector<std::vector<CellId>> parents;
  std::vector<std::uint64_t> bytes;  // that both sides' results of the cell take, as far as that is known

  [[nodiscard]] std::size_t size() const { return parents.size(); }
};

// For each cell its distance to `anchor` against the arrows: 0 of itself, 1 of its parents, and so on; -1 of cells that
// it does not depend on.
std::vector<int> distances_to(const CellGraph& graph, CellId anchor);

// Runs of consecutive cells that take at most `budget` bytes each, but for single cells that take more.
std::vector<std::vector<CellId>> plan_windows(const CellGraph& graph, std::uint64_t budget);

}  // namespace assay::locate

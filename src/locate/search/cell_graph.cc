#include "locate/search/cell_graph.h"

namespace assay::locate {

std::vector<int> distances_to(const CellGraph& graph, CellId anchor) {
  std::vector<int> distances(graph.size(), -1);
  std::vector<CellId> ring = {anchor};
  distances[static_cast<std::size_t>(anchor)] = 0;
  for (int distance = 1; !ring.empty(); ++distance) {
    std::vector<CellId> next;
    for (const CellId cell : ring) {
      for (const CellId parent : graph.parents[static_cast<std::size_t>(cell)]) {
        int& known = distances[static_cast<std::size_t>(parent)];
        if (known >= 0) continue;
        known = distance;
        next.push_back(parent);
      }
    }
    ring = std::move(next);
  }
  return distances;
}

std::vector<std::vector<CellId>> plan_windows(const CellGraph& graph, std::uint64_t budget) {
  std::vector<std::vector<CellId>> windows;
  std::uint64_t taken = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (windows.empty() || taken + graph.bytes[i] > budget) {
      windows.emplace_back();
      taken = 0;
    }
    windows.back().push_back(static_cast<CellId>(i));
    taken += graph.bytes[i];
  }
  return windows;
}

}  // namespace assay::locate

// A node wants to be below the average of its sources. In each row, the nodes are sorted by these wishes and then moved
// right until none overlaps.
#include "inspect/layout_graph.h"

#include <algorithm>
#include <numeric>

namespace assay::inspect {
namespace {

using Lists = std::vector<std::vector<std::size_t>>;

// Returns the nodes that come after all their sources, in such an order (Kahn's algorithm).
std::vector<std::size_t> sorted(const Lists& sources) {
  Lists targets(sources.size());
  std::vector<std::size_t> missing(sources.size());
  std::vector<std::size_t> order;
  for (std::size_t node = 0; node < sources.size(); ++node) {
    missing[node] = sources[node].size();
    for (const std::size_t source : sources[node]) targets[source].push_back(node);
    if (missing[node] == 0) order.push_back(node);
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    for (const std::size_t target : targets[order[at]]) {
      if (--missing[target] == 0) order.push_back(target);
    }
  }
  return order;
}

double wish(const std::vector<std::size_t>& sources, const std::vector<Spot>& spots) {
  if (sources.empty()) return 0;
  const double sum = std::accumulate(sources.begin(), sources.end(), 0.0,
                                     [&](double total, std::size_t source) { return total + spots[source].column; });
  return sum / static_cast<double>(sources.size());
}

}  // namespace

std::vector<Spot> layout_graph(const Lists& sources) {
  std::vector<Spot> spots(sources.size());
  std::size_t rows = 1;
  for (const std::size_t node : sorted(sources)) {
    for (const std::size_t source : sources[node]) spots[node].row = std::max(spots[node].row, spots[source].row + 1);
    rows = std::max(rows, spots[node].row + 1);
  }
  Lists by_row(rows);
  for (std::size_t node = 0; node < spots.size(); ++node) by_row[spots[node].row].push_back(node);
  for (std::vector<std::size_t>& row : by_row) {
    for (const std::size_t node : row) spots[node].column = wish(sources[node], spots);
    std::ranges::stable_sort(row, {}, [&](std::size_t node) { return spots[node].column; });
    for (std::size_t i = 1; i < row.size(); ++i) {
      spots[row[i]].column = std::max(spots[row[i]].column, spots[row[i - 1]].column + 1);
    }
  }
  return spots;
}

}  // namespace assay::inspect

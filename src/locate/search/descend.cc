// Each run marks tensors spread evenly over the cells that may hold the cause, instead of only the nearest ones. The
// first that differs becomes the new starting point, so m marks divide the remaining cells by about m + 1.
#include "locate/search/descend.h"

#include <algorithm>
#include <map>

namespace assay::locate {
namespace {

// Returns the cells that the anchor depends on and of which nothing is known, except those that it reaches only through
// cells that are known to agree; ascending.
std::vector<CellId> unknown_before(const CellGraph& graph, CellId anchor, const std::map<CellId, Reading>& known) {
  std::vector<bool> seen(graph.size(), false);
  std::vector<CellId> pending = {anchor};
  std::vector<CellId> found;
  while (!pending.empty()) {
    const CellId cell = pending.back();
    pending.pop_back();
    for (const CellId parent : graph.parents[static_cast<std::size_t>(cell)]) {
      if (seen[static_cast<std::size_t>(parent)] || known.contains(parent)) continue;
      seen[static_cast<std::size_t>(parent)] = true;
      found.push_back(parent);
      pending.push_back(parent);
    }
  }
  std::ranges::sort(found);
  return found;
}

// Returns evenly spaced cells, as many as fit into the budget.
std::vector<CellId> spread(const CellGraph& graph, const std::vector<CellId>& cells, std::size_t marks,
                           std::uint64_t budget) {
  const std::size_t count = std::min(marks, cells.size());
  std::vector<CellId> chosen;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const CellId cell = cells[(2 * i + 1) * cells.size() / (2 * count)];
    bytes += graph.bytes[static_cast<std::size_t>(cell)];
    if (!chosen.empty() && bytes > budget) return spread(graph, cells, (marks + 1) / 2, budget);
    chosen.push_back(cell);
  }
  return chosen;
}

}  // namespace

base::Expected<Descent> descend(const CellGraph& graph, CellId from, Probe& probe, const DescentLimits& limits) {
  Descent descent{.cell = from, .complete = false, .disturbed = false, .refused = false, .readings = {}};
  std::map<CellId, Reading> known;
  std::size_t marks = limits.marks;
  while (probe.runs_left() > limits.reserved_runs) {
    const std::vector<CellId> unknown = unknown_before(graph, descent.cell, known);
    if (unknown.empty()) {
      descent.complete = true;
      break;
    }
    const std::vector<CellId> chosen = spread(graph, unknown, marks, limits.memory_budget);
    ASSAY_ASSIGN(const WholeAnswer answer, probe.run_whole(chosen));
    if (answer.refused) {
      descent.refused = chosen.size() == 1;
      if (descent.refused) break;
      marks = (std::min(marks, chosen.size()) + 1) / 2;
      continue;
    }
    if (answer.disturbed) {
      descent.disturbed = true;
      break;
    }
    for (const Reading& reading : answer.readings) known[reading.cell] = reading;
    const auto first = std::ranges::find_if(answer.readings, &Reading::differs);
    if (first != answer.readings.end()) descent.cell = first->cell;
  }
  for (const auto& [cell, reading] : known) descent.readings.push_back(reading);
  return descent;
}

}  // namespace assay::locate

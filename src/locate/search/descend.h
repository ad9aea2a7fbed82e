// Goes back from a cell that differs to one that differs although everything it reads agrees, marking few tensors at a
// time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "locate/search/cell_graph.h"
#include "locate/search/probe.h"

namespace assay::locate {

struct Descent {
  CellId cell = -1;               // the earliest cell found so far that differs
  bool complete = false;          // everything that it reads agrees
  bool disturbed = false;         // marking changed the outputs, so the readings mean nothing
  bool refused = false;           // an engine fails even with a single mark
  std::vector<Reading> readings;  // ascending by cell
};

struct DescentLimits {
  std::uint64_t memory_budget = 0;  // bytes of marked results at a time
  std::size_t marks = 16;           // at a time; halved if an engine refuses them
  int reserved_runs = 0;
};

// `from` must differ. Cells before one that agrees are not looked at: the difference didn't come through it.
base::Expected<Descent> descend(const CellGraph& graph, CellId from, Probe& probe, const DescentLimits& limits);

}  // namespace assay::locate

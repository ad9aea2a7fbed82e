// From a cell that differs back to one that differs though all that it reads agrees, with few tensors marked at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "locate/cell_graph.h"
#include "locate/probe.h"

namespace assay::locate {

struct Descent {
  CellId cell = -1;               // the last that is known to differ
  bool complete = false;          // all that it reads agrees
  bool disturbed = false;         // marking changed the outputs, so that nothing can be said this way
  bool refused = false;           // an engine runs with no marks at all
  std::vector<Reading> readings;  // ascending
};

struct DescentLimits {
  std::uint64_t memory_budget = 0;  // bytes of marked results at a time
  std::size_t marks = 16;           // at a time; halved where an engine refuses them
  int reserved_runs = 0;
};

// `from` differs. What lies behind a cell that agrees is not looked at: a difference there did not come this way.
base::Expected<Descent> descend(const CellGraph& graph, CellId from, Probe& probe, const DescentLimits& limits);

}  // namespace assay::locate

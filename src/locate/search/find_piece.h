// Finds the smallest piece up to a cell in which a difference is born.
#pragma once

#include <span>
#include <vector>

#include "base/error.h"
#include "locate/search/cell_graph.h"
#include "locate/search/probe.h"

namespace assay::locate {

struct Piece {
  std::vector<CellId> cells;      // ascending
  bool confirmed = false;         // it ran with good values as inputs, and differs
  bool exhausted = false;         // the limit of runs was reached before a smaller one could be tried
  bool refused_alone = false;     // an engine refuses the anchor by itself
  bool refused_whole = false;     // an engine refuses the anchor with all its ancestors
  std::vector<Reading> readings;  // of its outputs, if confirmed
};

struct Around {
  CellId anchor = -1;
  bool agrees_alone = false;      // the anchor by itself is known to agree; skips trying it
  std::vector<CellId> known_bad;  // a piece known to differ; returned if no smaller one is found
};

// Tries the anchor with its ancestors within a growing distance until the piece differs, then bisects the distance. A
// piece that an engine refuses counts as one that agrees, so that growing continues. Leaves `reserved` runs.
base::Expected<Piece> find_piece(const CellGraph& graph, const Around& around, Probe& probe, int reserved);

}  // namespace assay::locate

// The smallest piece around a cell in which a difference is born.
#pragma once

#include <span>
#include <vector>

#include "base/error.h"
#include "locate/cell_graph.h"
#include "locate/probe.h"

namespace assay::locate {

struct Piece {
  std::vector<CellId> cells;      // ascending
  bool confirmed = false;         // it was run, fed good values, and differs
  bool exhausted = false;         // runs ended before a smaller one could be tried
  std::vector<Reading> readings;  // of what leaves it, where confirmed
};

struct Around {
  CellId anchor = -1;
  bool agrees_alone = false;      // the anchor by itself is known to agree
  std::vector<CellId> known_bad;  // a piece that is known to differ; the answer where no smaller one is found
};

// Grows the anchor's ancestors by distance until the piece differs, then bisects the distance. A piece that an engine
// refuses counts as one that agrees: growing goes on. Leaves `reserved` runs.
base::Expected<Piece> find_piece(const CellGraph& graph, const Around& around, Probe& probe, int reserved);

}  // namespace assay::locate

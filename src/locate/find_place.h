// The second step of a search: looks inside the model for the place at which the sides diverge.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "locate/locate.h"
#include "locate/run_unchanged.h"
#include "locate/search/cell_graph.h"
#include "locate/sides/sides.h"

namespace assay::locate {

// All references must stay valid during the search.
struct PlaceTask {
  const LocateInput& input;
  const LocateOptions& options;
  Sides& sides;
  const UnchangedRun& unchanged;
  bool rounds = true;  // the engine rounds float16 between nodes
  Ledger& ledger;
  base::Log& log;
};

// Searches (search.h) from these cells of outputs: those that differ, or all if the outputs agree. Adds the finding to
// the answer, with the layers, the birth that matters most, and the piece, which it saves and verifies. If no
// difference is born inside, it adds a note instead.
//
// Returns an engine (0 or 1) if it turned out to return different values from run to run with tensors marked: then the
// sides can't be compared, and the answer stays as it was. Errors: see locate().
base::Expected<std::optional<std::size_t>> find_place(const PlaceTask& task, const std::vector<CellId>& differing,
                                                      Location& location);

}  // namespace assay::locate

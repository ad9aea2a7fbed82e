// Finds where a difference is born, by asking a Probe as little as possible. Knows of no models, engines or files.
//
// Known at the start: some outputs differ. Two ways lead on.
//
// Everything marked. One run with the results of all cells as outputs (in windows of a memory budget) tells every
// cell's difference, provided that marking leaves the outputs as they were. The cells that differ are the suspects; all
// of them run once more, each by itself and fed the good values (run_apart). A suspect that still differs is where a
// difference is born; in the others it is passed on. The first born one is the result. Where none is born alone, small
// errors have grown along the way, and a piece around the first suspect is looked for, as below.
//
// Some marked. Where an engine does not run with everything marked, or windows would take too many runs: some tensors
// before one that differs are marked; the first of them that differs takes its place, and what lies behind those that
// agree is left out, until all that it reads agrees (descend.h).
//
// Bisection. Where marking changes the outputs (it takes an engine's fusions apart, and with them the difference):
// prefixes of the cells before the first output that differs run as pieces; nothing is marked but what leaves them, and
// they end where that is little. Between a prefix that agrees and one that differs lies a step of one cell at which the
// difference shows: log2(n) runs, or a few more. It need not be the only such step, as differences can vanish on the
// way.
//
// Then the piece: the cell of that step and its ancestors within distance 0, 1, 2, 4, ... fed with the good values,
// until the difference is born inside it; then the distance between the last two is bisected. What is found differs by
// itself, whatever the search believed before.
//
// Cost: everything marked, windows + 1 runs; some marked, log(n) to the base of how many are; bisection, 1 + log2(n) +
// 2 log2(d), d being the depth of the piece. Every step looks at runs_left() first: at the end the smallest piece that
// is known is given back, and `exhausted` is said.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "locate/cell_graph.h"
#include "locate/probe.h"

namespace assay::locate {

enum class Way {
  all_at_once,  // everything marked, in one run
  windows,      // everything marked, a window at a time
  some,         // some marked before one that differs
  bisection,    // nothing marked but the ends of prefixes
};

struct SearchOptions {
  std::uint64_t memory_budget = std::uint64_t{4} << 30;  // bytes of results at a time, of both sides together
  int reserved_runs = 1;                                 // that the caller wants left
  // That marking everything changes the outputs is no reason to stop: what is seen with marks is what is asked for.
  bool trust_marks = false;
  // No output differs: everything is marked to see where a difference is born inside, and nothing else is tried.
  bool outputs_agree = false;
};

struct Finding {
  Way way = Way::all_at_once;
  bool disturbed = false;     // marking changed the outputs
  CellId first = -1;          // where the difference is born, or shows first; -1 where outputs agree and none is born
  std::vector<CellId> piece;  // fed good values it differs, if `confirmed`; ascending, the last is `first`
  bool confirmed = false;     // the piece was run, and differs
  bool exhausted = false;     // there were no runs left to find a smaller one

  std::vector<Reading> in_model;  // of cells marked in a whole run, ascending; all of them, or those up to the result
  std::vector<Reading> alone;     // of cells that ran by themselves; ascending
};

// `differing`: the cells whose results are outputs of the model that differ; at least one, ascending. Where outputs
// agree, those of all outputs.
base::Expected<Finding> search(const CellGraph& graph, const std::vector<CellId>& differing, Probe& probe,
                               const SearchOptions& options);

}  // namespace assay::locate

// Finds where a difference is born with as few runs of a Probe as possible. Knows nothing of models, engines or files.
//
// At the start, some outputs are known to differ. There are three ways to continue.
//
// Everything marked. One run with the results of all cells as outputs (in windows of a memory budget) shows which cells
// differ, provided that marking doesn't change the outputs. These cells are the suspects; all of them run once more,
// each by itself with the good values as inputs (run_each_alone). At a suspect that still differs, a difference is
// born; the others pass it on. The first birth is the result. If no suspect differs alone, small errors have
// accumulated, and a piece around the first suspect is searched for, as below.
//
// Some marked. If an engine fails with everything marked, or windows would take too many runs: a few tensors before one
// that differs are marked; the first of them that differs takes its place, and cells before those that agree are
// skipped, until everything that it reads agrees (descend.h).
//
// Bisection. If marking changes the outputs (it breaks up an engine's fusions, and the difference with them): prefixes
// of the cells before the first differing output run as pieces, with only their outputs marked, and are cut where few
// tensors leave them. Between a prefix that agrees and one that differs there is a step of one cell at which the
// difference shows, found in log2(n) runs or a few more. It needn't be the only such step, as differences can vanish on
// the way.
//
// Then the piece: the cell of that step and its ancestors within distance 0, 1, 2, 4, ..., with the good values as
// inputs, until the difference is born inside it; then the distance between the last two is bisected. The result
// differs by itself, whatever the search assumed before.
//
// Cost: everything marked, windows + 1 runs; some marked, log(n) to the base of the number of marks; bisection, 1 +
// log2(n) + 2 log2(d), d being the depth of the piece. Every step checks runs_left() first: at the limit, the smallest
// known piece is returned with `exhausted` set.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "locate/search/cell_graph.h"
#include "locate/search/probe.h"

namespace assay::locate {

enum class Way {
  all_at_once,  // everything marked, in one run
  windows,      // everything marked, a window at a time
  some,         // some marked before one that differs
  bisection,    // only the outputs of prefixes marked
};

struct SearchOptions {
  std::uint64_t memory_budget = std::uint64_t{4} << 30;  // bytes of results at a time, for both sides together
  int reserved_runs = 1;                                 // runs left for the caller
  // Continue even if marking everything changes the outputs: the readings with marks are the ones that are wanted.
  bool trust_marks = false;
  // No output differs: mark everything to see where a difference is born inside, and try nothing else.
  bool outputs_agree = false;
};

struct Finding {
  Way way = Way::all_at_once;
  bool disturbed = false;     // marking changed the outputs
  CellId first = -1;          // where the difference is born, or shows first; -1 if the outputs agree and none is born
  std::vector<CellId> piece;  // differs with good values as inputs, if `confirmed`; ascending, the last is `first`
  bool confirmed = false;     // the piece ran, and differs
  bool exhausted = false;     // the limit of runs was reached before a smaller one was found
  // An engine refuses a piece, which then counts as one that agrees.
  bool refused_alone = false;  // the piece of `first` by itself
  bool refused_whole = false;  // the piece of `first` with all its ancestors

  std::vector<Reading> in_model;  // of cells marked in whole runs, ascending; all, or those up to the result
  std::vector<Reading> alone;     // of cells that ran by themselves, ascending
  std::vector<CellId> not_alone;  // cells that differ and that an engine refuses by themselves, ascending
};

// Runs the search. `differing`: the cells whose results are differing outputs of the model; at least one, ascending. If
// the outputs agree, the cells of all outputs.
base::Expected<Finding> search(const CellGraph& graph, const std::vector<CellId>& differing, Probe& probe,
                               const SearchOptions& options);

}  // namespace assay::locate

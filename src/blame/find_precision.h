// Which nodes have to stay in float32 when the others run in float16?
//
// Nodes are numbers here, and a test says whether the model passes with some of them in float32. Suspects are nodes
// that read or compute values beyond float16's range. If the model passes with these in float32, only they are
// searched. Otherwise all nodes are searched. If the errors of runs are known, the nodes are ranked by them
// (rank_by_error.h), and as few of the first ones as are enough are kept. Delta debugging then finds which of them can
// be left out.
#pragma once

#include <vector>

#include "base/error.h"
#include "blame/precision_trial.h"

namespace assay::blame {

enum class PrecisionMode {
  minimal,  // a smallest set of nodes
  bisect,   // the first nodes, as many as needed; assumes that more nodes in float32 never harm
  linear,   // the same, one node after the other
};

struct PrecisionOptions {
  PrecisionMode mode = PrecisionMode::minimal;
  bool reverse = false;  // bisect and linear: the last nodes instead of the first ones
};

struct PrecisionFindings {
  // True if the model passes with `kept` in float32. If false after a complete search, the model fails even with all
  // nodes in float32.
  bool passes = false;
  std::vector<int> kept;  // ascending; empty if the model passes in float16
  int runs = 0;
};

// Searches the numbers from 0 to `nodes` - 1, which are in the order of the graph. `suspects` are ascending. Fills
// `found` as it goes: after an error, it holds the fewest nodes that passed so far. Errors: those of the test.
base::Status find_precision(int nodes, const std::vector<int>& suspects, const PrecisionOptions& options,
                            const PrecisionTest& test, PrecisionFindings& found);

}  // namespace assay::blame

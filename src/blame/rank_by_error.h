// Which numbers should be kept in float32 first?
//
// If rounding errors of many nodes add up, a test that only passes or fails says little about a single node. The error
// of the outputs says more. In each run, one range of the graph is in float16 and the rest in float32. The range with
// the largest error is halved, until each range of several nodes has a small error compared with a run that fails.
// The error of one half mostly follows from that of the other, since the squares of independent errors add up.
#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "blame/precision_trial.h"

namespace assay::blame {

// Returns the numbers from 0 to `nodes` - 1 without those of `always`, which are ascending and kept in each run. The
// number whose float16 makes the largest error comes first; numbers of a range that wasn't halved are in order. Returns
// nothing if the error of a run isn't known. `whole` is the error of the run with only `always` kept, which must fail.
// Needs one or two runs for each range that is halved. Errors: those of the test.
base::Expected<std::optional<std::vector<int>>> rank_by_error(int nodes, const std::vector<int>& always, double whole,
                                                              const PrecisionTest& test);

}  // namespace assay::blame

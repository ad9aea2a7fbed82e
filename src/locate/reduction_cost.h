// What a reduction that goes on from an answer would cost, so that a user can decide before starting it.
#pragma once

#include "locate/pair.h"

namespace assay::locate {

struct ReductionCost {
  int checks = 0;
  double check_seconds = 0;  // of one: both sides load the model and run it once
  [[nodiscard]] double seconds() const { return checks * check_seconds; }
};

// An estimate: halving finds a place twice (from either end), some nodes are left, and each of those is tried a few
// times. A check takes what loading and running took here, on a model that gets smaller.
ReductionCost reduction_cost(int nodes, const Ledger& ledger);
// The same with --mode linear, which tries each node from either end.
ReductionCost linear_reduction_cost(int nodes, const Ledger& ledger);

}  // namespace assay::locate

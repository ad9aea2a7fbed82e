// Estimates the cost of a reduction that continues from an answer, so that the user can decide before starting it.
#pragma once

#include "locate/sides/ledger.h"

namespace assay::locate {

struct ReductionCost {
  int checks = 0;
  double check_seconds = 0;  // for one check: both sides load the model and run it once
  [[nodiscard]] double seconds() const { return checks * check_seconds; }
};

// Estimates the cost: two bisections (from either end), then some checks for each of the few remaining nodes. A check
// is assumed to take as long as loading and running took here, although the model gets smaller.
ReductionCost reduction_cost(int nodes, const Ledger& ledger);
// The same for --mode linear, which tries each node from either end.
ReductionCost linear_reduction_cost(int nodes, const Ledger& ledger);

}  // namespace assay::locate

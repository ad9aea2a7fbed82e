#include "locate/reduction_cost.h"

#include <algorithm>
#include <cmath>

namespace assay::locate {
namespace {

constexpr int kChecksForANode = 3;  // for each remaining node
constexpr int kOtherChecks = 4;     // the whole model, and the result once more
constexpr int kUsuallyLeft = 4;

}  // namespace

ReductionCost reduction_cost(int nodes, const Ledger& ledger) {
  const int left = std::clamp(nodes, 1, kUsuallyLeft);
  const double halving = 2 * std::ceil(std::log2(static_cast<double>(std::max(nodes, 1))));
  return {.checks = static_cast<int>(halving) + kChecksForANode * left + kOtherChecks,
          .check_seconds = ledger.check_seconds()};
}

ReductionCost linear_reduction_cost(int nodes, const Ledger& ledger) {
  return {.checks = std::max(2 * nodes, 1), .check_seconds = ledger.check_seconds()};
}

}  // namespace assay::locate

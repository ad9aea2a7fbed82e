// The k-th smallest numbers of a series, exactly, without sorting it and without a copy of a large one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compare/series.h"

namespace assay::compare {

// The numbers that would stand at `ranks` (each below size()) if the series, which holds no NaN, were sorted. Ranks may
// come in any order. Reads the series once, twice (large, float) or four times (large, double); takes at most some 30
// MB.
template <class Real>
std::vector<Real> values_at_ranks(const Series<Real>& series, std::span<const std::uint64_t> ranks);

}  // namespace assay::compare

// Finds the k-th smallest numbers of columns, exactly, without sorting them and without copying a large column.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stats/columns.h"
#include "stats/rank_search.h"

namespace assay::stats {

// Creates a search in each column for the numbers at `ranks` (each below size()), ready for its first pass. Large
// columns are sampled first, which makes the search faster but doesn't change its result.
template <class Real>
std::vector<RankSearch<Real>> begin_searches(const Columns<Real>& columns, std::span<const std::uint64_t> ranks,
                                             int threads);

// Returns the numbers at `ranks` of the sorted series, which must hold no NaN. Ranks may be in any order. Reads the
// series a few times and needs a few MB of memory at most.
template <class Real>
std::vector<Real> values_at_ranks(const Series<Real>& series, std::span<const std::uint64_t> ranks);

}  // namespace assay::stats

// The k-th smallest numbers of columns, exactly, without sorting them and without a copy of a large one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stats/columns.h"
#include "stats/rank_search.h"

namespace assay::stats {

// A search in each column for the numbers at `ranks` (each below size()), ready for its first pass. Large columns are
// sampled, which does not change what is found.
template <class Real>
std::vector<RankSearch<Real>> begin_searches(const Columns<Real>& columns, std::span<const std::uint64_t> ranks,
                                             int threads);

// The numbers that would stand at `ranks` if the series, which holds no NaN, were sorted. Ranks may come in any order.
// Reads the series a few times; takes some MB at most.
template <class Real>
std::vector<Real> values_at_ranks(const Series<Real>& series, std::span<const std::uint64_t> ranks);

}  // namespace assay::stats

// Statistics of the finite values of one tensor, for people who look at tensors in which single values may be NaN or
// infinite: summary.h then says NaN for everything, as NumPy does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tensor/tensor.h"

namespace assay::stats {

// Members from `min` on are 0 if no value is finite.
struct FiniteSummary {
  std::uint64_t finite = 0;
  std::uint64_t nans = 0;
  std::uint64_t infinities = 0;
  double min = 0;
  double max = 0;
  double mean = 0;
  double deviation = 0;  // standard deviation of the population (division by n)
};

// Reads the tensor once, on all processors; it must be numeric (is_numeric). The result doesn't depend on the number of
// threads. Source of the merged means and deviations: Chan, Golub and LeVeque, "Updating Formulae and a Pairwise
// Algorithm for Computing Sample Variances" (1979).
FiniteSummary summarize_finite(const tensor::Tensor& tensor);

// Returns the counts of finite values in `bins` bins of equal width between `low` and `high`; values at or beyond an
// end are in the bin at that end. Returns nothing if the range isn't finite or is empty.
std::vector<std::uint64_t> count_in_bins(const tensor::Tensor& tensor, double low, double high, std::size_t bins);

}  // namespace assay::stats

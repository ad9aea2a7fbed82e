// Statistics and histograms of tensors for reports.
#pragma once

#include <string_view>
#include <vector>

#include "report/page/page.h"
#include "tensor/tensor.h"

namespace assay::pages {

// A tensor's values on one side of a comparison.
struct SideValues {
  std::string_view side;  // empty for a weight
  const tensor::Tensor& values;
};

// Returns the statistics of each side. Their histograms have the same bins, so that they can be compared. The parts of
// complex numbers count as values; strings have no statistics, and a side without a finite value has no histogram.
std::vector<report::PageStatistics> statistics_of(const std::vector<SideValues>& sides);

}  // namespace assay::pages

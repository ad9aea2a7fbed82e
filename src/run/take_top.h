// Replaces scores by the indices of the largest ones, to compare a classifier's predictions.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "compare/per_output.h"
#include "tensor/tensor.h"

namespace assay::run {

struct TopOptions {
  std::int64_t count = 0;  // 0: the output stays unchanged
  std::int64_t axis = -1;  // negative: counted from the end
};

// Parses "top-5", "top-5,axis=1", or "top-0", which leaves an output unchanged. Errors: invalid_input.
base::Expected<TopOptions> parse_top(const std::string& text);

// Returns the indices (int64) of the `count` largest values along the axis: largest first, equal ones in index order,
// NaN last; fewer if the axis is shorter. Errors: invalid_input for an axis that doesn't exist; unsupported if the
// tensor isn't numeric.
base::Expected<tensor::Tensor> take_top(const tensor::Tensor& tensor, const TopOptions& options);

}  // namespace assay::run

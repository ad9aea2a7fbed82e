// Replaces scores by the indices of the largest ones, for comparisons of what a classifier says.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "compare/per_output.h"
#include "tensor/tensor.h"

namespace assay::run {

struct TopOptions {
  std::int64_t count = 0;  // 0: the output stays as it is
  std::int64_t axis = -1;  // from the end where negative
};

// "top-5" or "top-5,axis=1". Errors: invalid_input.
base::Expected<TopOptions> parse_top(const std::string& text);

// Indices (int64) of the `count` largest values along the axis, largest first, equal ones in their order, NaN last;
// fewer where the axis is shorter. Errors: invalid_input for an axis that is not there; unsupported for strings.
base::Expected<tensor::Tensor> take_top(const tensor::Tensor& tensor, const TopOptions& options);

}  // namespace assay::run

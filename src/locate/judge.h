// Whether two values of a tensor agree, and how far they are apart.
#pragma once

#include <string>
#include <string_view>

#include "compare/compare_outputs.h"
#include "stats/measure.h"
#include "tensor/tensor.h"

namespace assay::locate {

struct Judgement {
  bool differs = false;
  // Norm of the difference divided by the norm of the second's values: 0 where they are equal, infinity where they
  // cannot be measured (shapes or types differ, one has NaN where the other has none) and still differ.
  double size = 0;
  bool measured = false;  // `error` is there
  stats::ErrorSummary error;
  std::string why;  // where not measured, e.g. "shapes (2,) and (3,)"
};

// By the plan's functions and tolerances, with one exception: infinities of the same sign and NaN beside NaN agree.
// They are common inside models (masks of attention), where they part nobody.
Judgement judge(std::string_view name, const tensor::Tensor& first, const tensor::Tensor& second,
                const compare::ComparePlan& plan);

}  // namespace assay::locate

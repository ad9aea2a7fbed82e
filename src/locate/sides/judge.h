// Judges whether two values of a tensor agree, and how much they differ.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "compare/compare_outputs.h"
#include "stats/measure.h"
#include "tensor/tensor.h"

namespace assay::locate {

struct Divergence {
  bool differs = false;
  // Norm of the difference divided by the norm of the second value: 0 if they are equal; infinity if they differ but
  // can't be measured (different shapes or types, NaN on one side only).
  double size = 0;
  bool measured = false;  // `error` is set
  stats::ErrorSummary error;
  std::string why;  // the reason if not measured, e.g. "shapes (2,) and (3,)"
};

// A tensor of the whole model with the values of both sides; valid during the call that gets it.
struct SeenValues {
  std::string_view name;
  const tensor::Tensor& first;
  const tensor::Tensor& second;
  double size = 0;  // Divergence::size
};
using WatchValues = std::function<void(const SeenValues&)>;

// Judges by the plan's functions and tolerances, with one exception: infinities of the same sign agree, and so do two
// NaNs. Both are common inside models (masks of attention) and don't mean that the sides diverge.
Divergence judge(std::string_view name, const tensor::Tensor& first, const tensor::Tensor& second,
                 const compare::ComparePlan& plan);

}  // namespace assay::locate

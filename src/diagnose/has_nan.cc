#include "diagnose/has_nan.h"

#include <algorithm>
#include <cmath>

#include "stats/measure.h"
#include "tensor/convert.h"
#include "tensor/element_type.h"

namespace assay::diagnose {
namespace {

stats::ErrorSummary counts_of(const tensor::Tensor& value) {
  if (tensor::info(value.type()).kind != tensor::ElementKind::floating) return {};
  return stats::measure(value, value).value_or(stats::ErrorSummary());
}

}  // namespace

bool has_nan(const tensor::Tensor& value) {
  return counts_of(value).nan.first > 0;
}

bool is_finite(const tensor::Tensor& value) {
  const stats::ErrorSummary counts = counts_of(value);
  return counts.nan.first == 0 && counts.infinite.first == 0;
}

double largest_finite(const tensor::Tensor& value) {
  double most = 0;
  for (const double number : tensor::to_doubles(value)) {
    if (std::isfinite(number)) most = std::max(most, std::abs(number));
  }
  return most;
}

}  // namespace assay::diagnose

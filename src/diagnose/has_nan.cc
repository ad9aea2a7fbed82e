#include "diagnose/has_nan.h"

#include "stats/measure.h"
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

bool has_infinity(const tensor::Tensor& value) {
  return counts_of(value).infinite.first > 0;
}

}  // namespace assay::diagnose

#include "locate/sides/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/log.h"
#include "tensor/convert.h"

namespace assay::locate {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The default comparison asks only for what measure() counts anyway.
bool is_elementwise(std::string_view name, const compare::ComparePlan& plan) {
  return plan.functions.size() == 1 && judges_elements(*plan.functions[0], name, plan.options);
}

bool compare_by_functions(std::string_view name, const tensor::Tensor& first, const tensor::Tensor& second,
                          const compare::ComparePlan& plan) {
  compare::ComparePlan tolerant = plan;
  tolerant.options.infinities_equal = true;
  tensor::NamedTensors one;
  tensor::NamedTensors other;
  one.set(std::string(name), first);
  other.set(std::string(name), second);
  base::SilentLog silent;
  return compare::compare_outputs({"first", one}, {"second", other}, tolerant, silent);
}

// Puts 0 in the place of each NaN that both tensors have, since no function passes NaN.
void drop_common_nans(tensor::Tensor& first, tensor::Tensor& second) {
  std::vector<double> one = tensor::to_doubles(first);
  std::vector<double> other = tensor::to_doubles(second);
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (std::isnan(one[i]) && std::isnan(other[i])) one[i] = other[i] = 0;
  }
  first = tensor::from_doubles(first.type(), first.shape(), std::span<const double>(one));
  second = tensor::from_doubles(second.type(), second.shape(), std::span<const double>(other));
}

bool has_common_nans(const tensor::Tensor& first, const stats::ErrorSummary& error) {
  return tensor::is_real(first.type()) && error.nan.first + error.nan.second > error.nan.mismatched;
}

double relative_size(const stats::ErrorSummary& error) {
  if (error.undefined > 0) return kInfinity;
  if (error.difference_squared == 0) return 0;
  const double size = std::sqrt(error.difference_squared / error.second_squared);
  // If an element is infinite on both sides, with different signs, this is infinity divided by infinity.
  return std::isnan(size) ? error.absolute.max : size;
}

}  // namespace

Divergence judge(std::string_view name, const tensor::Tensor& first, const tensor::Tensor& second,
                 const compare::ComparePlan& plan) {
  Divergence divergence;
  if (tensor::identical(first, second)) {
    divergence.measured = true;
    divergence.error.elements = first.size();
    return divergence;
  }
  const auto [absolute, relative] = compare::tolerances_of(name, plan.options);
  const stats::MeasureOptions options{
      .absolute_tolerance = absolute, .relative_tolerance = relative, .infinities_equal = true, .nans_equal = true};
  auto error = stats::measure(first, second, options);
  if (!error) {
    divergence.why = error.error().what;
    divergence.differs = !compare_by_functions(name, first, second, plan);
    divergence.size = divergence.differs ? kInfinity : 0;
    return divergence;
  }
  divergence.measured = true;
  divergence.error = *std::move(error);
  divergence.size = relative_size(divergence.error);
  if (divergence.error.equal()) return divergence;
  if (is_elementwise(name, plan)) {
    divergence.differs = divergence.error.beyond > 0;
  } else {
    tensor::Tensor one = first, other = second;
    if (has_common_nans(first, divergence.error)) drop_common_nans(one, other);
    divergence.differs = !compare_by_functions(name, one, other, plan);
  }
  if (divergence.differs && divergence.size == 0) divergence.size = kInfinity;  // strings
  return divergence;
}

}  // namespace assay::locate

#include "locate/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/log.h"

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

double relative_size(const stats::ErrorSummary& error) {
  if (error.undefined > 0) return kInfinity;
  if (error.difference_squared == 0) return 0;
  const double size = std::sqrt(error.difference_squared / error.second_squared);
  // Masks hold infinities on both sides, which makes the sums NaN, but not the largest error.
  return std::isnan(size) ? error.absolute.max : size;
}

}  // namespace

Judgement judge(std::string_view name, const tensor::Tensor& first, const tensor::Tensor& second,
                const compare::ComparePlan& plan) {
  Judgement judgement;
  if (tensor::identical(first, second)) {
    judgement.measured = true;
    judgement.error.elements = first.size();
    return judgement;
  }
  const auto [absolute, relative] = compare::tolerances_of(name, plan.options);
  const stats::MeasureOptions options{
      .absolute_tolerance = absolute, .relative_tolerance = relative, .infinities_equal = true, .nans_equal = true};
  auto error = stats::measure(first, second, options);
  if (!error) {
    judgement.why = error.error().what;
    judgement.differs = !compare_by_functions(name, first, second, plan);
    judgement.size = judgement.differs ? kInfinity : 0;
    return judgement;
  }
  judgement.measured = true;
  judgement.error = *std::move(error);
  judgement.size = relative_size(judgement.error);
  if (judgement.error.equal()) return judgement;
  judgement.differs =
      is_elementwise(name, plan) ? judgement.error.beyond > 0 : !compare_by_functions(name, first, second, plan);
  if (judgement.differs && judgement.size == 0) judgement.size = kInfinity;  // strings
  return judgement;
}

}  // namespace assay::locate

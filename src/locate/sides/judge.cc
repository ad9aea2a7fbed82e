#include "locate/sides/judge.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/log.h"
#include "stats/equal_specials.h"

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
  tolerant.options.equal = stats::EqualSpecials::both();
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
      .absolute_tolerance = absolute, .relative_tolerance = relative, .equal = stats::EqualSpecials::both()};
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
    divergence.differs = !compare_by_functions(name, first, second, plan);
  }
  if (divergence.differs && divergence.size == 0) divergence.size = kInfinity;  // strings
  return divergence;
}

}  // namespace assay::locate

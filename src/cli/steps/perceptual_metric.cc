#include "cli/steps/perceptual_metric.h"

#include <algorithm>

#include "backend/find_engines.h"
#include "run/perceptual_distance.h"

namespace assay::cli {

base::Status load_perceptual_metric(compare::ComparePlan& plan, const Context& context) {
  const compare::CompareFunction& function = compare::compare_function("perceptual_metrics");
  if (std::ranges::find(plan.functions, &function) == plan.functions.end()) return {};
  ASSAY_ASSIGN(const auto python, backend::find_python({}, context.installation.engines));
  ASSAY_ASSIGN(plan.options.perceptual_distance, run::perceptual_distance(python, context.pool));
  return {};
}

}  // namespace assay::cli

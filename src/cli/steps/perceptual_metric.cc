#include "cli/steps/perceptual_metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "cli/context/script_python.h"
#include "run/perceptual_distance.h"

namespace assay::cli {

base::Status load_perceptual_metric(compare::ComparePlan& plan, const Context& context) {
  const compare::CompareFunction& function = compare::compare_function("perceptual_metrics");
  if (std::ranges::find(plan.functions, &function) == plan.functions.end()) return {};
  ASSAY_ASSIGN(const auto python, script_python(context));
  auto distance = run::perceptual_distance(python, context.pool);
  if (!distance) {
    base::Error error = distance.error();
    if (error.kind == base::ErrorKind::not_found && error.what.find(kPythonInterpreter) == std::string::npos) {
      error.fix = fmt::format("To use another interpreter, name it with {}", kPythonInterpreter);
    }
    return base::fail(std::move(error));
  }
  plan.options.perceptual_distance = *std::move(distance);
  return {};
}

}  // namespace assay::cli

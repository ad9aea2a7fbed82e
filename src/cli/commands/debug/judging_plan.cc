#include "cli/commands/debug/judging_plan.h"

#include <functional>
#include <memory>

#include "cli/steps/perceptual_metric.h"
#include "cli/steps/run_inputs.h"

namespace assay::cli {

base::Expected<run::RunPlan> judging_plan(const ModelOptions& model, const DataLoaderOptions& loader,
                                          const ComparisonOptions& comparison, Context& context,
                                          const compare::CompareOptions& defaults, const std::string& way) {
  ASSAY_ASSIGN(const std::shared_ptr<data::InputSource> source, open_inputs(model, loader, context));
  run::RunPlan plan;
  ASSAY_ASSIGN(plan.compare, comparison.plan(defaults, way));
  ASSAY_ASSIGN(plan.postprocess, comparison.postprocess());
  comparison.warn_of_unused(plan.compare, context.log);
  ASSAY_TRY(load_perceptual_metric(plan.compare, context));
  plan.inputs = std::bind_front(&data::InputSource::iteration, source);
  return plan;
}

}  // namespace assay::cli

#include "cli/commands/run/compared_views.h"

namespace assay::cli {

ComparedViews::ComparedViews(const LayerOptions& layers, const ReportOption& report, bool many, run::RunPlan& plan)
    : layers_(layers), report_(report), validates_(plan.validate) {
  if (many || layers.given() || report.given()) LayerOptions::connect(plan, table_);
  if (report.given()) page_.watch(table_);
}

base::Status ComparedViews::show(const Run& run, Context& context) const {
  ASSAY_TRY(layers_.report(table_, run.model, run.outcome, run.next, context));
  if (report_.given()) {
    report::Page page = page_.page(run.model, table_,
                                   {.passed = run.outcome.passed,
                                    .validated = validates_,
                                    .without = run.outcome.without,
                                    .timings = run.outcome.timings});
    ASSAY_TRY(report_.write(std::move(page), run.file, run.engines, context));
  }
  return {};
}

}  // namespace assay::cli

// The plan of a command that runs a model again and again, and judges its outputs by the comparison options.
#pragma once

#include <string>

#include "base/error.h"
#include "cli/context/command.h"
#include "cli/options/compare_options.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"
#include "compare/compare_options.h"
#include "run/run_and_compare.h"

namespace assay::cli {

// Returns a plan with the loader's inputs, which it owns, and the comparison. `defaults` and `way`: as for
// ComparisonOptions::plan(). The context must outlive the plan. Errors: those of the options.
base::Expected<run::RunPlan> judging_plan(const ModelOptions& model, const DataLoaderOptions& loader,
                                          const ComparisonOptions& comparison, Context& context,
                                          const compare::CompareOptions& defaults = {},
                                          const std::string& way = "simple");

}  // namespace assay::cli

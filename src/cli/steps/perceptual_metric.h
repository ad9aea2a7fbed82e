// The comparison function perceptual_metrics needs a network, which runs in Python.
#pragma once

#include "base/error.h"
#include "cli/context/command.h"
#include "compare/compare_outputs.h"

namespace assay::cli {

// Loads the network if the plan compares by perceptual_metrics. The context must outlive the plan. Errors: those of
// script_python() and run::perceptual_distance().
base::Status load_perceptual_metric(compare::ComparePlan& plan, const Context& context);

}  // namespace assay::cli

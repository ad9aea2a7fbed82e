// Inputs for the candidates of a reduction, if the inputs of the model were given and can't be generated again.
//
// A candidate that is cut out of the model reads tensors that the model computes. The file with the inputs of the model
// lacks them, so a check on such a candidate would only say that data is missing, and the reduction could remove
// little.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "diagnose/case.h"
#include "diagnose/state.h"

namespace assay::diagnose {

// Saves the inputs of the model, and values of the tensors that its nodes compute: as many as engines can compute, in
// the order of the graph, up to 256 MiB over all iterations. Tensors with NaN are left out if NaN is the failure: a
// candidate that reads NaN would fail for that reason. Errors: io.
base::Status save_values_at_cuts(const Case& task, const Facts& facts, StepContext& context,
                                 const std::filesystem::path& file);

}  // namespace assay::diagnose

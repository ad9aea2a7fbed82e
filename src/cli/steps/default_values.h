// Inputs that have a value in the model.
#pragma once

#include "base/log.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"
#include "data/first_inputs.h"

namespace assay::cli {

// Warns that data which the user gives for such an input isn't used. ONNX lets callers replace an initializer that is
// also an input (IR.md, "Graph Initializers"); here, as in Polygraphy, it is a constant. Does nothing if the model
// can't be loaded.
void warn_of_default_values(const ModelOptions& model, const DataLoaderOptions& loader, data::FirstInputs& inputs,
                            base::Log& log);

}  // namespace assay::cli

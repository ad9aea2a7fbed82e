// The shapes of the inputs that a command runs a model with, as far as they are known before.
#pragma once

#include <map>
#include <string>

#include "base/error.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"

namespace assay::cli {

// Returns the shapes of --input-shapes and, if the inputs are generated, those that follow from the names of
// dimensions.
base::Expected<std::map<std::string, Dimensions>> shapes_of_inputs(const ModelOptions& model,
                                                                   const DataLoaderOptions& loader);

}  // namespace assay::cli

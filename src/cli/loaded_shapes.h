// Optimisation profiles of TensorRT that fit the inputs which the user loads.
#pragma once

#include <vector>

#include "base/error.h"
#include "cli/command.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"
#include "run/engine_runner.h"

namespace assay::cli {

// Tells TensorRT's runners the shapes that inputs of open sizes have in the first iteration of loaded inputs, for
// profiles that don't mention these inputs. Replaces those of --input-shapes, which have no effect on loaded inputs.
// Does nothing if inputs are generated, or if the inputs don't fit the model, which the run will say. Errors: those of
// the source of the inputs.
base::Status set_loaded_shapes(std::vector<run::EngineSetup>& engines, const ModelOptions& model,
                               const DataLoaderOptions& loader, Context& context);

}  // namespace assay::cli

// Applies run::fit_profiles() to the options of a command.
#pragma once

#include <vector>

#include "base/error.h"
#include "cli/context/command.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"
#include "data/first_inputs.h"
#include "run/engine_runner.h"

namespace assay::cli {

// Tells TensorRT's runners the shapes of the first loaded inputs. `inputs` are those of the loader's source; they are
// read only if a runner needs them, and the run then finds them in memory. Does nothing if inputs are generated, or if
// the model can't be loaded, which the run will say. Errors: those of the source.
base::Status set_loaded_shapes(std::vector<run::EngineSetup>& engines, const ModelOptions& model,
                               const DataLoaderOptions& loader, data::FirstInputs& inputs);
// The same for commands that open the source of their inputs later, and so read these inputs again.
base::Status set_loaded_shapes(std::vector<run::EngineSetup>& engines, const ModelOptions& model,
                               const DataLoaderOptions& loader, Context& context);

}  // namespace assay::cli

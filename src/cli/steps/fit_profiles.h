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

// Tells TensorRT's runners the shapes of the first loaded inputs, and the values of those first inputs, loaded or
// generated, that may contain shapes. `inputs` are those of the loader's source; loaded ones are read only if a runner
// needs them, and the run then finds them in memory. Does nothing if the model can't be loaded or its inputs can't be
// generated, which the run will say. Errors: those of a source that isn't a generator.
base::Status fit_profiles(std::vector<run::EngineSetup>& engines, const ModelOptions& model,
                          const DataLoaderOptions& loader, data::FirstInputs& inputs, Context& context);
// The same for commands that open the source of their inputs later, and so read these inputs again.
base::Status fit_profiles(std::vector<run::EngineSetup>& engines, const ModelOptions& model,
                          const DataLoaderOptions& loader, Context& context);

}  // namespace assay::cli

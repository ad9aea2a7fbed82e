// Measures the values inside a model, so that a search for precision tries the likely nodes first. Without measured
// values, the search only takes more runs. So a missing or failing engine isn't an error.
#pragma once

#include <map>
#include <string>

#include "base/error.h"
#include "cli/context/command.h"
#include "cli/options/data_loader_options.h"
#include "cli/options/model_options.h"
#include "model/model.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"

namespace assay::cli {

// Returns blame::largest_values(), or nothing if they can't be measured.
std::map<std::string, double> measured_values(const model::Model& model, const run::EngineSetup& engine,
                                              const tensor::NamedTensors& inputs, Context& context);

// Measures with the first inputs of the loader, in the ONNX Runtime of the machine, without optimisations. Returns
// nothing if there is no ONNX Runtime, or if it takes longer than a few minutes. Errors: those of the inputs.
base::Expected<std::map<std::string, double>> measured_values(const model::Model& model, const ModelOptions& options,
                                                              const DataLoaderOptions& loader, Context& context);

}  // namespace assay::cli

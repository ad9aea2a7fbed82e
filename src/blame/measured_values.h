// Measures the values inside a model, so that a search for precision tries the likely nodes first. Without measured
// values, the search only takes more runs. So a missing or failing engine isn't an error.
#pragma once

#include <map>
#include <string>

#include "backend/find_engines.h"
#include "base/error.h"
#include "base/log.h"
#include "data/input_source.h"
#include "model/model.h"
#include "run/engine_runner.h"
#include "tensor/tensor.h"
#include "worker/engine.h"

namespace assay::blame {

// Returns largest_values(), or nothing if they can't be measured.
std::map<std::string, double> measured_values(const model::Model& model, const run::EngineSetup& engine,
                                              const tensor::NamedTensors& inputs, worker::Pool& pool, base::Log& log);

// Measures with the first inputs, in the ONNX Runtime of the machine, without optimisations. Returns nothing if there
// is no ONNX Runtime, or if it takes longer than a few minutes. Errors: those of the inputs.
base::Expected<std::map<std::string, double>> measured_values(const model::Model& model,
                                                              const data::InputsByIteration& inputs,
                                                              const backend::EngineSearch& engines, worker::Pool& pool,
                                                              base::Log& log);

}  // namespace assay::blame

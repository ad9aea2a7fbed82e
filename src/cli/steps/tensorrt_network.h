// Shows the network that TensorRT's parser makes of a model, for `inspect model` and `convert`.
#pragma once

#include "base/error.h"
#include "cli/context/command.h"
#include "cli/options/engine_options.h"
#include "cli/options/model_options.h"
#include "model/model.h"
#include "worker/engine.h"

namespace assay::cli {

// Returns the network as a model (inspect::network_model). `tensorrt`: the settings of TensorRT. `source`: the model,
// or the script that creates the network. `values`: whether the weights have values. Errors: those of
// EngineOptions::setups(), set_tensorrt_model() and run::ask_network(); unsupported for the values of a script's
// weights.
base::Expected<model::Model> load_network(const EngineOptions& tensorrt, const ModelOptions& model,
                                          const worker::ModelSource& source, bool values, Context& context);

}  // namespace assay::cli

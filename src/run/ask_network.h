// Asks TensorRT what it makes of a model: the network that its parser reads, and the layers of the engine that it
// builds.
#pragma once

#include "base/error.h"
#include "run/engine_runner.h"
#include "tensorrt/engine_info.h"
#include "tensorrt/network_info.h"
#include "worker/engine.h"

namespace assay::run {

// Returns true if TensorRT builds an engine for this runner.
bool is_tensorrt(const worker::EngineSpec& spec);

// Returns the network with the outputs that the engine's settings choose. No engine is built. Errors: engine if
// TensorRT doesn't take the model or the settings; io.
base::Expected<tensorrt::NetworkInfo> ask_network(const EngineSetup& engine, const worker::ModelSource& model,
                                                  worker::Pool& pool);

// Returns the layers of the engine. Errors: as above; invalid_input if TensorRT tells them in an unknown form.
base::Expected<tensorrt::EngineInfo> ask_layers(const EngineSetup& engine, const worker::ModelSource& model,
                                                worker::Pool& pool);

}  // namespace assay::run

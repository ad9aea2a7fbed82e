// Asks TensorRT what it makes of a model: which nodes its parser takes, the network that the parser reads, and the
// layers of the engine that it builds.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "run/engine_runner.h"
#include "tensorrt/capability.h"
#include "tensorrt/engine_info.h"
#include "tensorrt/network_info.h"
#include "worker/engine.h"

namespace assay::run {

// Returns true if TensorRT builds an engine for this runner.
bool is_tensorrt(const worker::EngineSpec& spec);

// Returns which nodes the parser takes. Errors: engine if TensorRT doesn't take the settings; io; invalid_input if it
// answers in an unknown form.
base::Expected<tensorrt::Capability> ask_capability(const EngineSetup& engine, const worker::ModelSource& model,
                                                    worker::Pool& pool);

// Returns the network with the outputs that the engine's settings choose. No engine is built. `weights`: a file for the
// values of its weights, if it isn't empty; a network that a script makes writes none. Errors: engine if TensorRT
// doesn't take the model or the settings; io.
base::Expected<tensorrt::NetworkInfo> ask_network(const EngineSetup& engine, const worker::ModelSource& model,
                                                  worker::Pool& pool, const std::filesystem::path& weights = {});

// Returns the layers of the engine. Errors: as above; invalid_input if TensorRT tells them in an unknown form.
base::Expected<tensorrt::EngineInfo> ask_layers(const EngineSetup& engine, const worker::ModelSource& model,
                                                worker::Pool& pool);

}  // namespace assay::run

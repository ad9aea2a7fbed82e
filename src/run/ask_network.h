// Asks TensorRT what it makes of a model: which nodes its parser takes, the network that the parser reads, and the
// layers of the engine that it builds.
#pragma once

#include <memory>

#include "base/error.h"
#include "base/mapped_file.h"
#include "run/engine_runner.h"
#include "tensorrt/capability.h"
#include "tensorrt/engine_info.h"
#include "tensorrt/network_info.h"
#include "worker/engine.h"

namespace assay::run {

// Returns true if TensorRT runs this engine, which it builds from the model unless the model is one that was built.
bool is_tensorrt(const worker::EngineSpec& spec);

// Returns which nodes the parser takes. Errors: engine if TensorRT doesn't take the settings; io; invalid_input if it
// answers in an unknown form.
base::Expected<tensorrt::Capability> ask_capability(const EngineSetup& engine, const worker::ModelSource& model,
                                                    worker::Pool& pool);

// Returns the network with the outputs that the engine's settings choose. No engine is built. Errors: engine if
// TensorRT doesn't take the model or the settings; io.
base::Expected<tensorrt::NetworkInfo> ask_network(const EngineSetup& engine, const worker::ModelSource& model,
                                                  worker::Pool& pool);

struct NetworkAndWeights {
  tensorrt::NetworkInfo network;
  // The values of its weights, at their offsets (NetworkWeights::offset). The file has no name any more: its space is
  // freed with the last copy.
  std::shared_ptr<const base::MappedFile> weights;
};

// The same with the values of the network's weights, which TensorRT doesn't give for a network that a script makes.
// Errors: as above.
base::Expected<NetworkAndWeights> ask_network_and_weights(const EngineSetup& engine, const worker::ModelSource& model,
                                                          worker::Pool& pool);

// Returns the layers of the engine. Errors: as above; invalid_input if TensorRT describes them in an unknown form.
base::Expected<tensorrt::EngineInfo> ask_layers(const EngineSetup& engine, const worker::ModelSource& model,
                                                worker::Pool& pool);

}  // namespace assay::run

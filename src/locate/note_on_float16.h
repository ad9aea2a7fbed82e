// Outputs of a float16 model that agree with another's prove little if the engine computes the model in float32.
#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "model/model.h"
#include "run/engine_runner.h"
#include "worker/engine.h"

namespace assay::locate {

// Returns whether the engine rounds to float16 between nodes: true if it can't run the test model. Errors: those of
// rounds_to_float16() except engine.
base::Expected<bool> may_round_to_float16(const run::EngineSetup& engine, worker::Pool& pool);

// Returns a note for the user if the model declares tensors in float16 and the engine doesn't round to float16 between
// nodes, as ONNX Runtime on CPUs. Errors: as above.
base::Expected<std::optional<std::string>> note_on_float16(const model::Model& model, const run::EngineSetup& engine,
                                                           worker::Pool& pool);

}  // namespace assay::locate

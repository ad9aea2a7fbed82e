// Finds out whether an engine really computes in float16.
#pragma once

#include "base/error.h"
#include "run/engine_runner.h"
#include "worker/engine.h"

namespace assay::run {

// Where the model rounds: its nodes are float16, or they are float32 and Casts to float16 and back follow.
enum class Rounding { by_nodes, by_casts };

// Runs a model of two nodes, (a + b) - b, with values of which float16 loses one. Returns false if the engine keeps
// float32 between float16 nodes, as ONNX Runtime does on CPUs, or drops the Casts. Errors: engine, if it fails.
base::Expected<bool> rounds_to_float16(const EngineSetup& engine, worker::Pool& pool, Rounding rounding);

}  // namespace assay::run

// Finds out whether an engine really computes in float16.
#pragma once

#include "base/error.h"
#include "run/engine_runner.h"
#include "worker/engine.h"

namespace assay::run {

// The places at which the model rounds: in float16 nodes, or in Casts to float16 and back after float32 nodes.
enum class Rounding { by_nodes, by_casts };

// Runs a model of two nodes, (a + b) - b, in which rounding the sum to float16 loses the value of a. Returns false if
// the engine keeps float32 between float16 nodes, as ONNX Runtime does on CPUs, or drops the Casts. Errors: engine, if
// it fails.
base::Expected<bool> rounds_to_float16(const EngineSetup& engine, worker::Pool& pool, Rounding rounding);

}  // namespace assay::run

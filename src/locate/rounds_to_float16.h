// Finds out whether an engine really computes in float16.
#pragma once

#include "base/error.h"
#include "run/engine_runner.h"
#include "worker/engine.h"

namespace assay::locate {

// Runs a model of two nodes, (a + b) - b, with values of which float16 loses one. Returns false if the engine keeps
// float32 between float16 nodes, as ONNX Runtime does on CPUs. Errors: engine, if it fails.
base::Expected<bool> rounds_to_float16(const run::EngineSetup& engine, worker::Pool& pool);

}  // namespace assay::locate

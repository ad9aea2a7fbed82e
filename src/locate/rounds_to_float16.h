// Whether an engine computes float16 as such.
#pragma once

#include "base/error.h"
#include "run/engine_runner.h"
#include "worker/engine.h"

namespace assay::locate {

// Runs a model of two nodes, (a + b) - b with values of which float16 loses one. False where the engine keeps float32
// between nodes of float16, as ONNX Runtime does on CPUs. Errors: kind engine, where it does not run.
base::Expected<bool> rounds_to_float16(const run::EngineSetup& engine, worker::Pool& pool);

}  // namespace assay::locate

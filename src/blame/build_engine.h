// Builds an engine from a model and saves it: ONNX Runtime's optimised model, OpenVINO's compiled blob, or an engine of
// TensorRT, which isn't opened.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "base/log.h"
#include "run/engine_runner.h"
#include "worker/engine.h"

namespace assay::blame {

// Writes the file under a temporary name and renames it, and leaves symbolic links, as base::AtomicFile does. A pool
// without idle workers builds in a new process each time. Errors: engine if the build fails, unsupported if the engine
// doesn't start, invalid_input if its settings make it write further files next to the engine, as ONNX Runtime can do
// with the weights; io, interrupted.
base::Status build_engine(const run::EngineSetup& engine, const worker::ModelSource& model,
                          const std::filesystem::path& file, worker::Pool& pool, base::Log& log);

}  // namespace assay::blame

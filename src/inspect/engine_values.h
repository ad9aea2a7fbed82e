// Adds the values of a run to the tensors of an engine's layers.
#pragma once

#include <filesystem>

#include "base/error.h"
#include "base/log.h"
#include "tensorrt/engine_info.h"

namespace assay::inspect {

// Sets EngineTensor::range of the tensors that the saved results have: those of the first runner's first iteration, one
// tensor in memory at a time. Logs a warning if there are more iterations, or none of the tensors is in the engine.
// Errors: those of data::ResultsReader; invalid_input if there are no results.
base::Status add_values(tensorrt::EngineInfo& engine, const std::filesystem::path& results, base::Log& log);

}  // namespace assay::inspect

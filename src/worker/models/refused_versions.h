// Finds out whether an engine refuses a model because of its IR version or operator sets, whatever nodes it has.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>

#include "worker/engine.h"
#include "worker/outcome.h"

namespace assay::worker {

// Loads model::bare_model(like). Returns the engine's answer if the engine refuses it; nothing if it loads it, or if
// it ends in another way, which says nothing about versions.
std::optional<Failed> refused_versions(const onnx::ModelProto& like, Pool& pool, const EngineSpec& engine,
                                       const Limits& limits);

}  // namespace assay::worker

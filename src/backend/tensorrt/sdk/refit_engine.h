// Replaces the weights of an engine by those of a model. An engine that was built with --strip-plan contains no
// weights, and its results are wrong until it gets some. See NVIDIA's developer guide: "Refitting an engine" and
// "Weight-stripped engines".
#pragma once

#include <NvInferRuntime.h>

#include "backend/tensorrt/sdk/open_engine.h"

namespace assay::backend {

// `model` is the one from which the engine was built, or differs from it only in weights. The engine must have no
// execution context yet. Returns a Refused in phase load if the engine keeps its weights, or the model lacks some.
Answer<void> refit_engine(const worker::ModelSource& model, nvinfer1::ICudaEngine& engine, TensorRtSdk& sdk);

// Returns a Refused in phase load if the engine was built without weights. TensorRT can tell this since 10.14; before
// that, every engine is accepted.
Answer<void> check_has_weights(const OpenedEngine& opened, TensorRtSdk& sdk);

}  // namespace assay::backend

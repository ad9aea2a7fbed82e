// Chooses the optimisation profile of a run.
#pragma once

#include <NvInferRuntime.h>

#include <optional>

#include "backend/tensorrt/sdk/sdk.h"

namespace assay::backend {

// Returns the first profile that takes all of these inputs, or nullopt: one in whose range every shape is, and for
// tensors that shapes depend on, every value.
std::optional<int> choose_profile(const nvinfer1::ICudaEngine& engine, const tensor::NamedTensors& feeds,
                                  const TensorRtSdk& sdk);

}  // namespace assay::backend

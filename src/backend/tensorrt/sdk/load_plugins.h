// Loads plug-ins, before a model is parsed or an engine is read.
#pragma once

#include <NvInferRuntime.h>

#include <string>
#include <vector>

#include "backend/tensorrt/sdk/sdk.h"

namespace assay::backend {

// Registers the plug-ins of the user's libraries and then NVIDIA's own, for the life of the process: both the builder
// and the runtime have to find them. Returns a Refused in phase load for a file that isn't a library of plug-ins.
Answer<void> load_plugins(const std::vector<std::string>& files, TensorRtSdk& sdk);

// Registers the plug-ins of the user's libraries for engines of a lean runtime (--load-runtime). It is another copy of
// TensorRT, whose registries don't know those of the first. Returns a Refused in phase load.
Answer<void> load_lean_plugins(const std::vector<std::string>& files, nvinfer1::IRuntime& runtime, TensorRtSdk& sdk);

}  // namespace assay::backend

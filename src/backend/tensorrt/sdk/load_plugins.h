// Loads plug-ins, before a model is parsed or an engine is read.
#pragma once

#include <string>
#include <vector>

#include "backend/tensorrt/sdk/sdk.h"

namespace assay::backend {

// Registers NVIDIA's own plug-ins and those of the user's libraries, for the life of the process: both the builder and
// the runtime have to find them. Returns a Refused in phase load for a file that isn't a library of plug-ins.
Answer<void> load_plugins(const std::vector<std::string>& files, TensorRtSdk& sdk);

}  // namespace assay::backend

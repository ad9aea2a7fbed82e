// Asks TensorRT's engine inspector about the layers of an engine.
#pragma once

#include <string>

#include "backend/tensorrt/sdk/open_engine.h"

namespace assay::backend {

// Returns what the inspector says of all layers, as JSON. Dynamic dimensions are -1. Returns a Refused in phase build.
Answer<std::string> layers_json(const OpenedEngine& opened, TensorRtSdk& sdk);

}  // namespace assay::backend

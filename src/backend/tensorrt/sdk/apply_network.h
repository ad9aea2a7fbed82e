// Changes a network as the user asks: outputs, types and formats of tensors, precisions of layers.
#pragma once

#include <NvInfer.h>

#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/network_plan.h"

namespace assay::backend {

// Returns a Refused in phase build for a name that the network doesn't have. Names may be wildcards; a wildcard that
// matches nothing is an error, too. So is what this TensorRT, or the worker's headers, don't have.
Answer<void> apply_network(const tensorrt::NetworkPlan& plan, TensorRtSdk& sdk, nvinfer1::INetworkDefinition& network);

}  // namespace assay::backend

// Sets the types in which layers compute, with TensorRT 10.
#pragma once

#include <NvInfer.h>

#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/network_plan.h"

namespace assay::backend {

// Sets NetworkPlan::layer_precisions. Returns a Refused in phase build for a name or a pattern that no layer matches.
// If TensorRT doesn't accept a precision, only its log says so.
Answer<void> set_precisions(const tensorrt::NetworkPlan& plan, TensorRtSdk& sdk,
                            const nvinfer1::INetworkDefinition& network);

}  // namespace assay::backend

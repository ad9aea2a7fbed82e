// Tells the command line what a network consists of, so that it can choose precisions and outputs.
#pragma once

#include "backend/tensorrt/options.h"
#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/network_info.h"
#include "worker/engine.h"

namespace assay::backend {

// Parses the model and chooses the outputs that the plan names, but builds no engine. Returns a Refused as
// build_engine() does.
Answer<tensorrt::NetworkInfo> describe_network(const worker::ModelSource& model, const tensorrt::NetworkPlan& plan,
                                               TensorRtSdk& sdk);

}  // namespace assay::backend

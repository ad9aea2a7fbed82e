// Tells the command line what a network consists of, so that it can show it and choose precisions and outputs.
#pragma once

#include <filesystem>

#include "backend/tensorrt/options.h"
#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/network_info.h"
#include "worker/engine.h"

namespace assay::backend {

// Parses the model and chooses the outputs that the plan names, but builds no engine. `weights`: a file for the values
// of the layers' weights, one after the other; if empty, no values are written. Returns a Refused as build_engine()
// does, and in phase build if the file can't be written.
Answer<tensorrt::NetworkInfo> describe_network(const worker::ModelSource& model, const tensorrt::NetworkPlan& plan,
                                               const std::filesystem::path& weights, TensorRtSdk& sdk);

}  // namespace assay::backend

// Sets a builder configuration as the user asks.
#pragma once

#include <NvInfer.h>

#include <memory>
#include <string>
#include <vector>

#include "backend/tensorrt/sdk/build_callbacks.h"
#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/config_plan.h"

namespace assay::backend {

// The objects that a configuration refers to but doesn't own. They must outlive the builder.
struct ConfigParts {
  BuildCallbacks callbacks;
  std::unique_ptr<nvinfer1::ITimingCache> timing_cache;
};

// Returns those flags of --best whose precisions the GPU has, and tells of the others.
std::vector<std::string> flags_of_gpu(std::vector<std::string> flags, TensorRtSdk& sdk);

// Applies the settings that need no network: flags, numbers, choices, limits of memory and the DLA. Returns a Refused
// in phase build for what this TensorRT or this machine doesn't have.
Answer<void> apply_settings(const tensorrt::ConfigPlan& plan, TensorRtSdk& sdk, const nvinfer1::IBuilder& builder,
                            nvinfer1::IBuilderConfig& config);

// Applies the rest. Profiles are completed: an input with dynamic dimensions that none of them mentions gets 1 for each
// dynamic dimension, and without profiles there is one of this kind. `saved_cache`: the file in which the timing cache
// will be saved; empty: none. `calibration_data`: the folder of
// apply_calibration(). Returns a Refused in phase build, also for a cache that can't be read.
Answer<ConfigParts> apply_config(const tensorrt::ConfigPlan& plan, const std::string& saved_cache,
                                 const std::string& calibration_data, TensorRtSdk& sdk, nvinfer1::IBuilder& builder,
                                 const nvinfer1::INetworkDefinition& network, nvinfer1::IBuilderConfig& config);

}  // namespace assay::backend

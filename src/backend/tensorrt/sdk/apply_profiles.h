// Makes a network's optimisation profiles.
#pragma once

#include <NvInfer.h>

#include <string>
#include <vector>

#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/config_plan.h"

namespace assay::backend {

// Adds the profiles of the plan to the configuration. An input with dynamic dimensions that a profile doesn't mention
// gets 1 for each dynamic dimension, and a shape tensor its values in the plan, or else ones, of which the log tells; a
// network that has such inputs gets a profile if there is none. For a shape tensor, a profile's shapes are its values.
// Returns a Refused in phase build for an input that the network doesn't have unless it is optional, and for shapes
// that don't fit it.
Answer<void> apply_profiles(const tensorrt::ConfigPlan& plan, nvinfer1::IBuilder& builder,
                            const nvinfer1::INetworkDefinition& network, TensorRtSdk& sdk,
                            nvinfer1::IBuilderConfig& config);

// Returns which inputs contain shapes whose values neither profiles nor the plan give, and what to do, to be put after
// the reason why a build fails; empty if there are none.
std::string describe_missing_values(const tensorrt::ConfigPlan& plan, const nvinfer1::INetworkDefinition& network,
                                    TensorRtLogger& logger);

// Returns a profile, completed in the same way, which the builder owns. `shape_values`: ConfigPlan::shape_values.
Answer<nvinfer1::IOptimizationProfile*> make_profile(const tensorrt::Profile& plan,
                                                     const tensorrt::Shapes& shape_values, nvinfer1::IBuilder& builder,
                                                     const nvinfer1::INetworkDefinition& network, TensorRtSdk& sdk);

// Returns whether the network needs a profile: whether it has inputs with dynamic dimensions, or shape tensors.
bool has_open_inputs(const nvinfer1::INetworkDefinition& network, TensorRtLogger& logger);

// Returns whether shapes depend on the tensor's values. TensorRT may log errors when it is asked, which mean nothing:
// Polygraphy silences them, too.
bool is_shape_tensor(const nvinfer1::ITensor& tensor, TensorRtLogger& logger);

}  // namespace assay::backend

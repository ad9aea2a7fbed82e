// Lets TensorRT calibrate a network that int8 is allowed for.
#pragma once

#include <NvInfer.h>

#include <memory>
#include <string>

#include "backend/tensorrt/sdk/calibrator.h"
#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/config_plan.h"

namespace assay::backend {

// Gives the configuration a calibrator, and a profile for it if the network has open sizes: the shapes of the batches
// in `folder`, which is empty if there are none. Returns null if nothing needs to be calibrated: without --int8, and
// for networks that quantize by themselves. The result must live until the engine is built. Returns a Refused in phase
// build.
Answer<std::unique_ptr<Calibration>> apply_calibration(const tensorrt::ConfigPlan& plan, const std::string& folder,
                                                       TensorRtSdk& sdk, nvinfer1::IBuilder& builder,
                                                       const nvinfer1::INetworkDefinition& network,
                                                       nvinfer1::IBuilderConfig& config);

}  // namespace assay::backend

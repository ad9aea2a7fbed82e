// Lets TensorRT calibrate a network that int8 is allowed for.
#pragma once

#include <NvInfer.h>

#include <memory>
#include <string>

#include "backend/tensorrt/sdk/calibrator.h"
#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/config_plan.h"

namespace assay::backend {

// Sets the calibrator of the configuration. If the network has dynamic dimensions, also sets the calibration profile,
// with the shapes of the batches in `folder`; an empty `folder` stands for no batches. Returns null if nothing needs to
// be calibrated: without --int8, and for networks that contain quantized layers. The result must live until the engine
// is built. Returns a Refused in phase build if the cache or the batches can't be used.
Answer<std::unique_ptr<Calibration>> apply_calibration(const tensorrt::ConfigPlan& plan, const std::string& folder,
                                                       TensorRtSdk& sdk, nvinfer1::IBuilder& builder,
                                                       const nvinfer1::INetworkDefinition& network,
                                                       nvinfer1::IBuilderConfig& config);

}  // namespace assay::backend

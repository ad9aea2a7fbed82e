// The objects that TensorRT calls while it builds an engine: a calibrator for int8, and an algorithm selector for
// tactics. TensorRT 11 has neither, so with its headers there are none.
#pragma once

#include <NvInfer.h>

#include <memory>
#include <string>
#include <vector>

#include "backend/tensorrt/sdk/sdk.h"
#include "tensorrt/config_plan.h"

namespace assay::backend {

class BuildCallback {
 public:
  virtual ~BuildCallback() = default;
  // Returns a Refused in phase build if something went wrong in a call, which TensorRT can't be told. It is the reason
  // if the build failed.
  [[nodiscard]] virtual Answer<void> check() = 0;
  // Called after a build that succeeded. Returns a Refused if the object had no effect or can't save its results.
  [[nodiscard]] virtual Answer<void> finish() = 0;
};

using BuildCallbacks = std::vector<std::unique_ptr<BuildCallback>>;

// Creates what the plan asks for, and sets it in the configuration. The result must outlive the builder.
// `calibration_data`: the folder of apply_calibration(). Returns a Refused in phase build.
Answer<BuildCallbacks> set_callbacks(const tensorrt::ConfigPlan& plan, const std::string& calibration_data,
                                     TensorRtSdk& sdk, nvinfer1::IBuilder& builder,
                                     const nvinfer1::INetworkDefinition& network, nvinfer1::IBuilderConfig& config);

}  // namespace assay::backend

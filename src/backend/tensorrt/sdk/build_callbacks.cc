#include "backend/tensorrt/sdk/build_callbacks.h"

#include "backend/tensorrt/sdk/headers.h"
#if ASSAY_TENSORRT_UNTIL_10
#include "backend/tensorrt/sdk/apply_calibration.h"
#include "backend/tensorrt/sdk/tactic_selector.h"
#endif

namespace assay::backend {

#if ASSAY_TENSORRT_UNTIL_10
Answer<BuildCallbacks> set_callbacks(const tensorrt::ConfigPlan& plan, const std::string& calibration_data,
                                     TensorRtSdk& sdk, nvinfer1::IBuilder& builder,
                                     const nvinfer1::INetworkDefinition& network, nvinfer1::IBuilderConfig& config) {
  BuildCallbacks callbacks;
  ASSAY_ASSIGN(auto calibration, apply_calibration(plan, calibration_data, sdk, builder, network, config));
  if (calibration != nullptr) callbacks.push_back(std::move(calibration));
  ASSAY_ASSIGN(auto tactics, apply_tactics(plan, sdk, config));
  if (tactics != nullptr) callbacks.push_back(std::move(tactics));
  return callbacks;
}
#else
// The settings that ask for them were refused when the worker started (parse_tensorrt_options).
Answer<BuildCallbacks> set_callbacks(const tensorrt::ConfigPlan& /*plan*/, const std::string& /*calibration_data*/,
                                     TensorRtSdk& /*sdk*/, nvinfer1::IBuilder& /*builder*/,
                                     const nvinfer1::INetworkDefinition& /*network*/,
                                     nvinfer1::IBuilderConfig& /*config*/) {
  return {};
}
#endif

}  // namespace assay::backend

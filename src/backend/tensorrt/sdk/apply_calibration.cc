#include "backend/tensorrt/sdk/headers.h"
#if ASSAY_TENSORRT_UNTIL_10
#include "backend/tensorrt/sdk/apply_calibration.h"

#include "backend/tensorrt/sdk/apply_profiles.h"
#include "backend/tensorrt/sdk/dimensions.h"

namespace assay::backend {
namespace {

using nvinfer1::INetworkDefinition;
using worker::Phase;

bool quantizes(const INetworkDefinition& network) {
  for (int i = 0; i < network.getNbLayers(); ++i) {
    const auto type = network.getLayer(i)->getType();
    if (type == nvinfer1::LayerType::kQUANTIZE || type == nvinfer1::LayerType::kDEQUANTIZE) return true;
  }
  return false;
}

// Returns a profile with these inputs alone: their shapes, or the values of shape tensors.
tensorrt::Profile profile_of(const tensor::NamedTensors& inputs, const INetworkDefinition& network,
                             TensorRtLogger& logger) {
  tensorrt::Profile profile;
  for (int i = 0; i < network.getNbInputs(); ++i) {
    const nvinfer1::ITensor& input = *network.getInput(i);
    const tensor::Tensor* tensor = inputs.find(input.getName());
    if (tensor == nullptr) continue;
    const tensorrt::Shape shape = is_shape_tensor(input, logger) ? whole_numbers(*tensor) : tensor->shape();
    profile.inputs[input.getName()] = {.min = shape, .opt = shape, .max = shape};
  }
  return profile;
}

}  // namespace

Answer<std::unique_ptr<Calibration>> apply_calibration(const tensorrt::ConfigPlan& plan, const std::string& folder,
                                                       TensorRtSdk& sdk, nvinfer1::IBuilder& builder,
                                                       const INetworkDefinition& network,
                                                       nvinfer1::IBuilderConfig& config) {
  if (!config.getFlag(nvinfer1::BuilderFlag::kINT8)) {
    if (plan.calibrator) {
      sdk.logger.add(base::Level::warning, "settings for calibration have no effect without --int8");
    }
    return nullptr;
  }
  if (quantizes(network)) {
    sdk.logger.add(base::Level::verbose, "int8 isn't calibrated: the model quantizes by itself");
    return nullptr;
  }
  if (!plan.calibrator && folder.empty()) return nullptr;
  ASSAY_ASSIGN(auto calibration,
               make_calibration(plan.calibrator.value_or(tensorrt::Calibrator()), folder, sdk.driver));
  config.setInt8Calibrator(&calibration->calibrator());
  if (calibration->batches() != nullptr && has_open_inputs(network, sdk.logger)) {
    ASSAY_ASSIGN(
        const nvinfer1::IOptimizationProfile* profile,
        make_profile(profile_of(calibration->batches()->first(), network, sdk.logger), {}, builder, network, sdk));
    if (!config.setCalibrationProfile(profile)) {
      return tl::unexpected(
          sdk.logger.because(Phase::build, "TensorRT doesn't accept the shapes of the calibration data"));
    }
  }
  return calibration;
}

}  // namespace assay::backend
#endif

#include "backend/tensorrt/sdk/choose_profile.h"

#include "backend/tensorrt/sdk/dimensions.h"
#include "backend/tensorrt/sdk/headers.h"

namespace assay::backend {
namespace {

using nvinfer1::ICudaEngine;
using nvinfer1::OptProfileSelector;

bool is_between(const tensor::Shape& numbers, const tensor::Shape& least, const tensor::Shape& most) {
  if (least.size() != numbers.size() || most.size() != numbers.size()) return false;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < least[i] || numbers[i] > most[i]) return false;
  }
  return true;
}

// Returns nullopt if the input isn't a shape tensor. The engine knows its values either with 64 bits, since TensorRT
// 10.11, or with 32, as they were given when it was built.
std::optional<tensor::Shape> profile_values(const ICudaEngine& engine, const char* input, int profile,
                                            OptProfileSelector select, std::size_t count,
                                            [[maybe_unused]] const TensorRtSdk& sdk) {
#if ASSAY_TENSORRT_SINCE_10(11)
  if (sdk.library.number() >= 101100) {
    const std::int64_t* wide = engine.getProfileTensorValuesV2(input, profile, select);
    if (wide != nullptr) return tensor::Shape(wide, wide + count);
  }
#endif
#if ASSAY_TENSORRT_UNTIL_10
  const std::int32_t* narrow = engine.getProfileTensorValues(input, profile, select);
  if (narrow != nullptr) return tensor::Shape(narrow, narrow + count);
#endif
  return std::nullopt;
}

bool takes(const ICudaEngine& engine, int profile, const std::string& name, const tensor::Tensor& tensor,
           const TensorRtSdk& sdk) {
  const char* input = name.c_str();
  const auto shape = [&](OptProfileSelector select) {
    return to_shape(engine.getProfileShape(input, profile, select));
  };
  if (!is_between(tensor.shape(), shape(OptProfileSelector::kMIN), shape(OptProfileSelector::kMAX))) return false;
  if (!engine.isShapeInferenceIO(input)) return true;
  const tensor::Shape numbers = whole_numbers(tensor);
  const auto values = [&](OptProfileSelector select) {
    return profile_values(engine, input, profile, select, numbers.size(), sdk);
  };
  const auto least = values(OptProfileSelector::kMIN);
  const auto most = values(OptProfileSelector::kMAX);
  return !least || !most || is_between(numbers, *least, *most);
}

}  // namespace

std::optional<int> choose_profile(const ICudaEngine& engine, const tensor::NamedTensors& feeds,
                                  const TensorRtSdk& sdk) {
  for (int profile = 0; profile < engine.getNbOptimizationProfiles(); ++profile) {
    bool takes_all = true;
    for (const auto& [name, tensor] : feeds) takes_all = takes_all && takes(engine, profile, name, tensor, sdk);
    if (takes_all) return profile;
  }
  return std::nullopt;
}

}  // namespace assay::backend

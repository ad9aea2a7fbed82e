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

bool takes(const OpenedEngine& opened, int profile, const std::string& name, const tensor::Tensor& tensor) {
  const ICudaEngine& engine = *opened.engine;
  const char* input = name.c_str();
  const auto shape = [&](OptProfileSelector select) {
    return to_shape(engine.getProfileShape(input, profile, select));
  };
  if (!is_between(tensor.shape(), shape(OptProfileSelector::kMIN), shape(OptProfileSelector::kMAX))) return false;
  if (!engine.isShapeInferenceIO(input)) return true;
  const tensor::Shape numbers = whole_numbers(tensor);
  const auto values = [&](OptProfileSelector select) {
    return profile_values(opened, input, profile, select, numbers.size());
  };
  const auto least = values(OptProfileSelector::kMIN);
  const auto most = values(OptProfileSelector::kMAX);
  return !least || !most || is_between(numbers, *least, *most);
}

}  // namespace

// The engine knows the values either with 64 bits, since TensorRT 10.11, or with 32, as they were given when it was
// built.
std::optional<tensor::Shape> profile_values(const OpenedEngine& opened, const char* input, int profile,
                                            OptProfileSelector select, std::size_t count) {
  const ICudaEngine& engine = *opened.engine;
#if ASSAY_TENSORRT_SINCE_10(11)
  if (opened.is_since({10, 11})) {
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

std::optional<int> choose_profile(const OpenedEngine& opened, const tensor::NamedTensors& feeds) {
  for (int profile = 0; profile < opened.engine->getNbOptimizationProfiles(); ++profile) {
    bool takes_all = true;
    for (const auto& [name, tensor] : feeds) takes_all = takes_all && takes(opened, profile, name, tensor);
    if (takes_all) return profile;
  }
  return std::nullopt;
}

}  // namespace assay::backend

#include "backend/tensorrt/sdk/choose_profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "backend/tensorrt/sdk/dimensions.h"
#include "backend/tensorrt/sdk/headers.h"
#include "base/list_first.h"

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

bool is_open(const tensor::Shape& shape) {
  return std::ranges::any_of(shape, [](std::int64_t size) { return size < 0; });
}

// Only asks for the profile's shapes of an input that has dynamic dimensions. For others, check_feeds() has compared
// the shape, and TensorRT may tell none: an input that contains a shape has values in the profile.
bool takes(const OpenedEngine& opened, int profile, const std::string& name, const tensor::Tensor& tensor) {
  const ICudaEngine& engine = *opened.engine;
  const char* input = name.c_str();
  const auto shape = [&](OptProfileSelector select) {
    return to_shape(engine.getProfileShape(input, profile, select));
  };
  if (is_open(to_shape(engine.getTensorShape(input))) &&
      !is_between(tensor.shape(), shape(OptProfileSelector::kMIN), shape(OptProfileSelector::kMAX))) {
    return false;
  }
  if (!engine.isShapeInferenceIO(input)) return true;
  const tensor::Shape numbers = whole_numbers(tensor);
  const auto values = [&](OptProfileSelector select) {
    return profile_values(opened, input, profile, select, numbers.size());
  };
  const auto least = values(OptProfileSelector::kMIN);
  const auto most = values(OptProfileSelector::kMAX);
  return !least || !most || is_between(numbers, *least, *most);
}

// Returns the sizes of an input that a profile takes, or its values if shapes depend on them: "x [1,2] to [8,2]".
// Returns nullopt if all profiles take the same.
std::optional<std::string> describe_range(const OpenedEngine& opened, const char* input, int profile) {
  const ICudaEngine& engine = *opened.engine;
  const tensor::Shape shape = to_shape(engine.getTensorShape(input));
  const auto count = tensor::element_count(shape);
  const bool has_values = engine.isShapeInferenceIO(input) && count;
  if (!is_open(shape) && !has_values) return std::nullopt;
  const auto numbers = [&](OptProfileSelector select) {
    return has_values ? profile_values(opened, input, profile, select, *count).value_or(tensor::Shape{})
                      : to_shape(engine.getProfileShape(input, profile, select));
  };
  return fmt::format("{} [{}] to [{}]", input, fmt::join(numbers(OptProfileSelector::kMIN), ","),
                     fmt::join(numbers(OptProfileSelector::kMAX), ","));
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

std::string describe_profiles(const OpenedEngine& opened) {
  const ICudaEngine& engine = *opened.engine;
  std::vector<std::string> profiles;
  for (int profile = 0; profile < engine.getNbOptimizationProfiles(); ++profile) {
    std::vector<std::string> ranges;
    for (int i = 0; i < engine.getNbIOTensors(); ++i) {
      const char* name = engine.getIOTensorName(i);
      if (engine.getTensorIOMode(name) != nvinfer1::TensorIOMode::kINPUT) continue;
      if (auto range = describe_range(opened, name, profile)) ranges.push_back(*std::move(range));
    }
    profiles.push_back(fmt::format("profile {} {}", profile, base::list_first(std::move(ranges), 5, ", ")));
  }
  return base::list_first(std::move(profiles), 5, "; ");
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

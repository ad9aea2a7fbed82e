#include "backend/tensorrt/sdk/apply_profiles.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "backend/tensorrt/sdk/dimensions.h"
#include "backend/tensorrt/sdk/headers.h"
#include "base/pattern.h"
#include "base/strings.h"

namespace assay::backend {
namespace {

using nvinfer1::IOptimizationProfile;
using nvinfer1::ITensor;
using nvinfer1::OptProfileSelector;
using tensorrt::Profile;
using worker::Phase;

bool is_negative(const tensorrt::Shape& shape) {
  return std::ranges::any_of(shape, [](std::int64_t size) { return size < 0; });
}

bool is_open(const nvinfer1::Dims& dims) {
  return dims.nbDims < 0 || is_negative(to_shape(dims));
}

// Returns whether the network has an input of this name, or one for which this wildcard stands.
bool has_input(const nvinfer1::INetworkDefinition& network, const std::string& name_or_wildcard) {
  for (int i = 0; i < network.getNbInputs(); ++i) {
    if (base::stands_for(name_or_wildcard, network.getInput(i)->getName())) return true;
  }
  return false;
}

// Returns whether sizes or values of an output are only known when the engine runs. TensorRT's headers don't say
// whether the network then needs a profile, but NVIDIA's tools add one.
bool has_open_outputs(const nvinfer1::INetworkDefinition& network, TensorRtLogger& logger) {
  for (int i = 0; i < network.getNbOutputs(); ++i) {
    const ITensor& output = *network.getOutput(i);
    if (is_open(output.getDimensions()) || is_shape_tensor(output, logger)) return true;
  }
  return false;
}

// Returns the range of an input that the user doesn't mention: fixed sizes, and 1 for open ones.
Profile::Range smallest(const ITensor& input) {
  tensorrt::Shape shape = to_shape(input.getDimensions());
  for (std::int64_t& size : shape) size = size < 0 ? 1 : size;
  return {shape, shape, shape};
}

// Returns the values of a shape tensor for which the user gives none, as NVIDIA's tools choose them.
tensorrt::Shape ones(const ITensor& input) {
  return tensorrt::Shape(tensor::element_count(to_shape(input.getDimensions())).value_or(0), 1);
}

// Sets the values of a shape tensor. Before TensorRT 10.11 they have 32 bits.
bool set_values(IOptimizationProfile& profile, const char* input, OptProfileSelector select,
                const tensorrt::Shape& values, [[maybe_unused]] const TensorRtSdk& sdk) {
  const auto count = static_cast<std::int32_t>(values.size());
#if ASSAY_TENSORRT_SINCE_10(11)
  if (sdk.is_since({10, 11})) return profile.setShapeValuesV2(input, select, values.data(), count);
#endif
#if ASSAY_TENSORRT_UNTIL_10
  std::vector<std::int32_t> narrow;
  for (const std::int64_t value : values) {
    if (!std::in_range<std::int32_t>(value)) return false;
    narrow.push_back(static_cast<std::int32_t>(value));
  }
  return profile.setShapeValues(input, select, narrow.data(), count);
#else
  return false;
#endif
}

worker::Refused refused_values(const tensorrt::Shape& values, const ITensor& input) {
  return {{Phase::build, 0,
           fmt::format("the values [{}] of a profile don't fit the input '{}', which shapes depend on and which is "
                       "[{}]. Give its values, instead of its shape, with --trt-min-shapes, --trt-opt-shapes and "
                       "--trt-max-shapes",
                       fmt::join(values, ","), input.getName(), fmt::join(to_shape(input.getDimensions()), ","))}};
}

// Returns the inputs that contain shapes whose values a profile lacks.
std::vector<const ITensor*> without_values(const tensorrt::ConfigPlan& plan,
                                           const nvinfer1::INetworkDefinition& network, TensorRtLogger& logger) {
  std::vector<const ITensor*> inputs;
  for (int i = 0; i < network.getNbInputs(); ++i) {
    const ITensor* input = network.getInput(i);
    const auto mentions = [&](const Profile& profile) { return profile.find(input->getName()) != nullptr; };
    const bool is_given = !plan.profiles.empty() && std::ranges::all_of(plan.profiles, mentions);
    if (!is_given && is_shape_tensor(*input, logger)) inputs.push_back(input);
  }
  return inputs;
}

Answer<void> set_range(IOptimizationProfile& profile, const ITensor& input, const Profile::Range& range,
                       TensorRtSdk& sdk) {
  const bool has_values = is_shape_tensor(input, sdk.logger);
  for (const auto& [select, shape] :
       {std::pair{OptProfileSelector::kMIN, &range.min}, std::pair{OptProfileSelector::kOPT, &range.opt},
        std::pair{OptProfileSelector::kMAX, &range.max}}) {
    bool fits = false;
    if (has_values) {
      // TensorRT compares the count only with those of earlier calls.
      const auto count = tensor::element_count(to_shape(input.getDimensions()));
      fits = count == shape->size() && set_values(profile, input.getName(), select, *shape, sdk);
    } else if (is_negative(*shape)) {
      return refuse(Phase::build, 0,
                    fmt::format("the shape [{}] of a profile has a negative size, and the input '{}' isn't a shape "
                                "tensor, whose values can be negative. Give fixed sizes",
                                fmt::join(*shape, ","), input.getName()));
    } else if (const auto dims = to_dims(*shape)) {
      fits = profile.setDimensions(input.getName(), select, *dims);
    }
    if (fits) continue;
    if (has_values) return tl::unexpected(refused_values(*shape, input));
    return refuse(
        Phase::build, 0,
        fmt::format("the shape [{}] of a profile doesn't fit the input '{}', which is [{}]", fmt::join(*shape, ","),
                    input.getName(), fmt::join(to_shape(input.getDimensions()), ",")));
  }
  return {};
}

Answer<void> add_profile(const Profile& plan, const tensorrt::Shapes& shape_values, nvinfer1::IBuilder& builder,
                         const nvinfer1::INetworkDefinition& network, TensorRtSdk& sdk,
                         nvinfer1::IBuilderConfig& config) {
  ASSAY_ASSIGN(const IOptimizationProfile* profile, make_profile(plan, shape_values, builder, network, sdk));
  if (config.addOptimizationProfile(profile) >= 0) return {};
  return tl::unexpected(sdk.logger.because(Phase::build, "TensorRT doesn't accept a profile"));
}

// Logs which values the engine takes for inputs that contain shapes and that profiles don't mention.
void log_values(const tensorrt::ConfigPlan& plan, const nvinfer1::INetworkDefinition& network, TensorRtLogger& logger) {
  if (std::string text = describe_missing_values(plan, network, logger); !text.empty()) {
    logger.add(base::Level::warning, std::move(text));
  }
  for (const ITensor* input : without_values(plan, network, logger)) {
    const auto known = plan.shape_values.find(input->getName());
    if (known == plan.shape_values.end()) continue;
    logger.add(base::Level::info,
               fmt::format("shapes depend on the input '{}', so the engine is built for its first value, [{}]",
                           input->getName(), fmt::join(known->second, ",")));
  }
}

}  // namespace

std::string describe_missing_values(const tensorrt::ConfigPlan& plan, const nvinfer1::INetworkDefinition& network,
                                    TensorRtLogger& logger) {
  std::vector<std::string> names;
  for (const ITensor* input : without_values(plan, network, logger)) {
    if (!plan.shape_values.contains(input->getName())) names.push_back(fmt::format("'{}'", input->getName()));
  }
  if (names.empty()) return {};
  return fmt::format(
      "shapes depend on the values of the input{} {}, which aren't given, so the engine is built for the value 1. Give "
      "values, instead of shapes, with --trt-min-shapes, --trt-opt-shapes and --trt-max-shapes",
      names.size() > 1 ? "s" : "", base::join(names, ", "));
}

bool has_open_inputs(const nvinfer1::INetworkDefinition& network, TensorRtLogger& logger) {
  for (int i = 0; i < network.getNbInputs(); ++i) {
    const ITensor& input = *network.getInput(i);
    if (is_open(input.getDimensions()) || is_shape_tensor(input, logger)) return true;
  }
  return false;
}

bool is_shape_tensor(const ITensor& tensor, TensorRtLogger& logger) {
  const auto silence = logger.silence();
  return tensor.isShapeTensor();
}

Answer<IOptimizationProfile*> make_profile(const Profile& plan, const tensorrt::Shapes& shape_values,
                                           nvinfer1::IBuilder& builder, const nvinfer1::INetworkDefinition& network,
                                           TensorRtSdk& sdk) {
  for (const auto& [name, range] : plan.inputs) {
    if (range.is_optional || has_input(network, name)) continue;
    return refuse(Phase::build, 0, fmt::format("a profile is for the input '{}', which the model doesn't have", name));
  }
  IOptimizationProfile* profile = builder.createOptimizationProfile();  // the builder owns it
  if (profile == nullptr) {
    return tl::unexpected(sdk.logger.because(Phase::build, "TensorRT made no optimisation profile"));
  }
  for (int i = 0; i < network.getNbInputs(); ++i) {
    const ITensor& input = *network.getInput(i);
    if (const Profile::Range* given = plan.find(input.getName()); given != nullptr) {
      ASSAY_TRY(set_range(*profile, input, *given, sdk));
    } else if (is_shape_tensor(input, sdk.logger)) {
      const auto known = shape_values.find(input.getName());
      const tensorrt::Shape values = known == shape_values.end() ? ones(input) : known->second;
      ASSAY_TRY(set_range(*profile, input, {values, values, values}, sdk));
    } else if (is_open(input.getDimensions())) {
      ASSAY_TRY(set_range(*profile, input, smallest(input), sdk));
    }
  }
  return profile;
}

Answer<void> apply_profiles(const tensorrt::ConfigPlan& plan, nvinfer1::IBuilder& builder,
                            const nvinfer1::INetworkDefinition& network, TensorRtSdk& sdk,
                            nvinfer1::IBuilderConfig& config) {
  std::vector<Profile> profiles = plan.profiles;
  const bool needs_one = has_open_inputs(network, sdk.logger) || has_open_outputs(network, sdk.logger);
  if (profiles.empty() && needs_one) profiles.emplace_back();
  log_values(plan, network, sdk.logger);
  for (const Profile& profile : profiles) {
    ASSAY_TRY(add_profile(profile, plan.shape_values, builder, network, sdk, config));
  }
  return {};
}

}  // namespace assay::backend

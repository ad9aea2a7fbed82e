// The inspector only tells the formats and types of tensors with dynamic dimensions if it inspects a context whose
// inputs have shapes. But then it tells the sizes of these shapes, and no longer which of them are dynamic. So it is
// asked twice, and the dimensions of the first answer replace those of the second.
//
// The shapes are those for which TensorRT has optimised the first profile: the engine must be valid for them. A context
// of its own gets them, without memory for activations, because nothing runs. If TensorRT doesn't accept them, the
// first answer has to do.
//
// The inspector doesn't tell what belongs to the engine as a whole, such as the shapes that its profiles accept. These
// members are added.
#include "backend/tensorrt/sdk/engine_layers.h"

#include <algorithm>
#include <array>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "backend/tensorrt/sdk/choose_profile.h"
#include "backend/tensorrt/sdk/dimensions.h"
#include "backend/tensorrt/sdk/headers.h"
#include "backend/tensorrt/sdk/host_memory.h"
#include "base/json_text.h"
#include "tensorrt/engine_info.h"

namespace assay::backend {
namespace {

using nlohmann::ordered_json;
using nvinfer1::ICudaEngine;
using nvinfer1::IExecutionContext;
using nvinfer1::OptProfileSelector;

// Returns an empty text if the inspector doesn't answer.
std::string inspect(const ICudaEngine& engine, const IExecutionContext* context) {
  const std::unique_ptr<nvinfer1::IEngineInspector> inspector(engine.createEngineInspector());
  if (inspector == nullptr) return {};
  if (context != nullptr && !inspector->setExecutionContext(context)) return {};
  const char* text = inspector->getEngineInformation(nvinfer1::LayerInformationFormat::kJSON);
  return text == nullptr ? std::string() : std::string(text);
}

bool is_dynamic(const nvinfer1::Dims& dims) {
  return std::ranges::any_of(to_shape(dims), [](std::int64_t size) { return size < 0; });
}

std::vector<const char*> inputs_of(const ICudaEngine& engine) {
  std::vector<const char*> inputs;
  for (int i = 0; i < engine.getNbIOTensors(); ++i) {
    const char* name = engine.getIOTensorName(i);
    if (engine.getTensorIOMode(name) == nvinfer1::TensorIOMode::kINPUT) inputs.push_back(name);
  }
  return inputs;
}

// Writes the values as the input stores them. Returns false for a type that no shape tensor has.
bool write_values(const tensor::Shape& values, nvinfer1::DataType type, HostMemory& memory) {
  if (type != nvinfer1::DataType::kINT32 && type != nvinfer1::DataType::kINT64) return false;
  memory.reserve(values.size() * sizeof(std::int64_t));
  if (type == nvinfer1::DataType::kINT64) {
    std::ranges::copy(values, reinterpret_cast<std::int64_t*>(memory.pointer()));  // NOLINT
  } else {
    std::ranges::transform(values, reinterpret_cast<std::int32_t*>(memory.pointer()),  // NOLINT
                           [](std::int64_t value) { return static_cast<std::int32_t>(value); });
  }
  return true;
}

// Sets the shapes, and the values of shape tensors, for which the first profile is optimised. `values`: the memory of
// such tensors, which must outlive the context.
bool set_inputs(const OpenedEngine& opened, IExecutionContext& context, std::deque<HostMemory>& values) {
  const ICudaEngine& engine = *opened.engine;
  for (const char* input : inputs_of(engine)) {
    const nvinfer1::Dims dims = engine.getTensorShape(input);
    const bool is_set =
        !is_dynamic(dims) || context.setInputShape(input, engine.getProfileShape(input, 0, OptProfileSelector::kOPT));
    if (!is_set) return false;
    if (!engine.isShapeInferenceIO(input)) continue;
    const auto count = tensor::element_count(to_shape(dims));  // a profile has its values, and may have no shape
    if (!count) return false;
    const auto usual = profile_values(opened, input, 0, OptProfileSelector::kOPT, static_cast<std::size_t>(*count));
    HostMemory& memory = values.emplace_back();
    if (!usual || !write_values(*usual, engine.getTensorDataType(input), memory)) return false;
    if (!context.setTensorAddress(input, memory.pointer())) return false;
  }
  return context.inferShapes(0, nullptr) == 0;
}

// Returns an empty text if TensorRT can't tell it.
std::string inspect_with_shapes(const OpenedEngine& opened, TensorRtSdk& sdk) {
  std::deque<HostMemory> values;
  constexpr auto kNoMemory = nvinfer1::ExecutionContextAllocationStrategy::kUSER_MANAGED;
  const auto silence = sdk.logger.silence();
  const std::unique_ptr<IExecutionContext> context(opened.engine->createExecutionContext(kNoMemory));
  if (context == nullptr || !set_inputs(opened, *context, values)) return {};
  return inspect(*opened.engine, context.get());
}

constexpr std::array kLists = {"Inputs", "Constants", "Outputs"};  // of a layer's tensors

// Returns whether a layer has a tensor with a dynamic dimension.
bool has_dynamic_sizes(const ordered_json& layer) {
  for (const char* list : kLists) {
    if (!layer.is_object() || !layer.contains(list)) continue;
    for (const ordered_json& tensor : layer[list]) {
      if (!tensor.is_object() || !tensor.contains("Dimensions")) continue;
      for (const ordered_json& size : tensor["Dimensions"]) {
        if (size.is_number_integer() && size < 0) return true;
      }
    }
  }
  return false;
}

// Returns null for a member that the object lacks.
ordered_json member(const ordered_json& object, const char* name) {
  const auto at = object.find(name);
  return at == object.end() ? ordered_json() : *at;
}

// Replaces the dimensions of a layer's tensors by those of the same tensors in the other answer. Returns false if the
// layer has other tensors there.
bool take_dimensions(const ordered_json& from, ordered_json& layer) {
  if (!from.is_object() || !layer.is_object()) return from == layer;  // only names
  for (const char* list : kLists) {
    if (!layer.contains(list)) continue;
    if (!from.contains(list) || from[list].size() != layer[list].size()) return false;
    for (std::size_t i = 0; i < layer[list].size(); ++i) {
      const ordered_json& open = from[list][i];
      ordered_json& tensor = layer[list][i];
      if (!tensor.is_object() || !open.is_object() || member(open, "Name") != member(tensor, "Name")) return false;
      if (open.contains("Dimensions")) tensor["Dimensions"] = open["Dimensions"];
    }
  }
  return true;
}

// Parses an answer. Returns nullopt if it isn't one.
std::optional<ordered_json> parse_answer(const std::string& text) {
  auto answer = ordered_json::parse(tensorrt::escape_separators(text), nullptr, false);
  if (!answer.is_object() || !answer.contains("Layers") || !answer["Layers"].is_array()) return std::nullopt;
  return answer;
}

// Returns the answer with formats, and with dimensions as in the other, or nullopt if they aren't about the same
// layers.
std::optional<std::string> with_dimensions(const ordered_json& open, const std::string& with_formats) {
  auto merged = parse_answer(with_formats);
  if (!merged || open["Layers"].size() != (*merged)["Layers"].size()) return std::nullopt;
  for (std::size_t i = 0; i < open["Layers"].size(); ++i) {
    if (!take_dimensions(open["Layers"][i], (*merged)["Layers"][i])) return std::nullopt;
  }
  return base::json_text(*merged);
}

// Returns what a profile accepts for an input, or null if the engine has its shape and, if shapes depend on it, can't
// tell its values.
ordered_json range_of(const OpenedEngine& opened, const char* input, int profile) {
  const ICudaEngine& engine = *opened.engine;
  const auto count = tensor::element_count(to_shape(engine.getTensorShape(input)));
  ordered_json range;
  for (const auto& [name, select] : {std::pair{"min", OptProfileSelector::kMIN},
                                     {"opt", OptProfileSelector::kOPT},
                                     {"max", OptProfileSelector::kMAX}}) {
    if (engine.isShapeInferenceIO(input) && count) {
      const auto values = profile_values(opened, input, profile, select, static_cast<std::size_t>(*count));
      if (!values) return nullptr;
      range[name] = *values;
    } else if (is_dynamic(engine.getTensorShape(input))) {
      range[name] = to_shape(engine.getProfileShape(input, profile, select));
    }
  }
  return range;
}

// Adds what the inspector doesn't tell.
std::string with_facts(std::string text, const OpenedEngine& opened) {
  auto answer = parse_answer(text);
  if (!answer) return text;
  const ICudaEngine& engine = *opened.engine;
  const char* name = engine.getName();
  if (name != nullptr && *name != '\0') (*answer)["Name"] = name;
  (*answer)["Refittable"] = engine.isRefittable();
#if ASSAY_TENSORRT_SINCE_10(1)
  if (opened.is_since({10, 1})) (*answer)["DeviceMemoryBytes"] = engine.getDeviceMemorySizeV2();
#endif
  ordered_json profiles = ordered_json::array();
  for (int profile = 0; profile < engine.getNbOptimizationProfiles(); ++profile) {
    ordered_json& ranges = profiles.emplace_back(ordered_json::object());
    for (const char* input : inputs_of(engine)) {
      if (ordered_json range = range_of(opened, input, profile); !range.is_null()) ranges[input] = std::move(range);
    }
  }
  (*answer)[std::string(tensorrt::kEngineRanges)] = std::move(profiles);
  return base::json_text(*answer);
}

}  // namespace

Answer<std::string> layers_json(const OpenedEngine& opened, TensorRtSdk& sdk) {
  sdk.logger.clear();
  std::string open = inspect(*opened.engine, nullptr);
  if (open.empty()) {
    return tl::unexpected(sdk.logger.refused(worker::Phase::build, "TensorRT can't describe the engine's layers"));
  }
  const auto answer = parse_answer(open);
  const bool lacks_formats = answer && std::ranges::any_of((*answer)["Layers"], [](const ordered_json& layer) {
                               return has_dynamic_sizes(layer);
                             });
  if (!lacks_formats) return with_facts(std::move(open), opened);
  const std::string with_formats = inspect_with_shapes(opened, sdk);
  return with_facts(with_dimensions(*answer, with_formats).value_or(std::move(open)), opened);
}

}  // namespace assay::backend

// Names are matched with fnmatch's wildcards, as Polygraphy does.
#include "backend/tensorrt/sdk/apply_network.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <set>
#include <span>

#include "base/pattern.h"
#include "tensorrt/enumerations.h"

namespace assay::backend {
namespace {

using nvinfer1::DataType;
using nvinfer1::ILayer;
using nvinfer1::INetworkDefinition;
using nvinfer1::ITensor;
using worker::Phase;

worker::Refused refused(std::string message) {
  return {{Phase::build, 0, std::move(message)}};
}

// Calls `action` with each of the objects whose name the word matches. Returns a Refused if there is none.
template <class Object>
Answer<void> for_each_match(const std::string& word, std::span<Object* const> objects, const char* kind,
                            const std::function<void(Object&)>& action) {
  const auto pattern = base::Pattern::wildcard(word);
  if (!pattern) return tl::unexpected(refused(pattern.error().message()));
  bool any = false;
  for (Object* object : objects) {
    const bool same = object->getName() == word;
    const auto matches = pattern->matches(object->getName());
    if (!same && !matches.value_or(false)) continue;
    any = true;
    action(*object);
  }
  if (any) return {};
  return tl::unexpected(refused(fmt::format("TensorRT's network has no {} '{}'", kind, word)));
}

std::vector<ILayer*> layers_of(const INetworkDefinition& network) {
  std::vector<ILayer*> layers;
  for (int i = 0; i < network.getNbLayers(); ++i) layers.push_back(network.getLayer(i));
  return layers;
}

std::vector<ITensor*> outputs_of(ILayer& layer) {
  std::vector<ITensor*> outputs;
  for (int i = 0; i < layer.getNbOutputs(); ++i) outputs.push_back(layer.getOutput(i));
  return outputs;
}

std::vector<ITensor*> inputs_and_outputs(const INetworkDefinition& network) {
  std::vector<ITensor*> tensors;
  for (int i = 0; i < network.getNbInputs(); ++i) tensors.push_back(network.getInput(i));
  for (int i = 0; i < network.getNbOutputs(); ++i) tensors.push_back(network.getOutput(i));
  return tensors;
}

// Returns all tensors that can be outputs: what layers compute, except constants.
std::vector<ITensor*> computed_tensors(const INetworkDefinition& network) {
  std::vector<ITensor*> computed;
  for (ILayer* layer : layers_of(network)) {
    if (layer->getType() == nvinfer1::LayerType::kCONSTANT) continue;
    for (ITensor* tensor : outputs_of(*layer)) computed.push_back(tensor);
  }
  return computed;
}

Answer<void> choose_outputs(const tensorrt::NetworkPlan& plan, INetworkDefinition& network) {
  const std::vector<ITensor*> computed = computed_tensors(network);
  std::set<ITensor*> wanted;
  const std::function<void(ITensor&)> want = [&wanted](ITensor& tensor) { wanted.insert(&tensor); };
  for (const std::string& word : plan.outputs) {
    ASSAY_TRY(for_each_match<ITensor>(word, computed, "tensor", want));
  }
  for (const std::string& type : plan.output_types) {
    const auto number = tensorrt::find_enumerator("LayerType", type, "--trt-outputs-by-type");
    if (!number) return tl::unexpected(refused(number.error().message()));
    for (ILayer* layer : layers_of(network)) {
      if (static_cast<int>(layer->getType()) != *number) continue;
      for (ITensor* tensor : outputs_of(*layer)) wanted.insert(tensor);
    }
  }
  if (!plan.outputs.empty() || !plan.output_types.empty()) {
    for (ITensor* tensor : computed) {
      const bool is_output = tensor->isNetworkOutput();
      if (is_output && !wanted.contains(tensor)) network.unmarkOutput(*tensor);
      if (!is_output && wanted.contains(tensor)) network.markOutput(*tensor);
    }
  }
  for (const std::string& word : plan.excluded_outputs) {
    ASSAY_TRY(for_each_match<ITensor>(word, computed, "tensor", [&network](ITensor& tensor) {
      if (tensor.isNetworkOutput()) network.unmarkOutput(tensor);
    }));
  }
  return {};
}

Answer<void> set_precisions(const tensorrt::NetworkPlan& plan, const INetworkDefinition& network) {
  const std::vector<ILayer*> layers = layers_of(network);
  for (const auto& [word, type] : plan.layer_precisions) {
    const auto number = static_cast<DataType>(tensorrt::data_type_number(type));
    ASSAY_TRY(for_each_match<ILayer>(word, layers, "layer", [number](ILayer& layer) { layer.setPrecision(number); }));
  }
  return {};
}

// Applies the values to the tensors that they name, and the value of "" to all others.
template <class Value>
Answer<void> for_each_port(const std::map<std::string, Value>& values, const INetworkDefinition& network,
                           const std::function<void(ITensor&, const Value&)>& apply) {
  const std::vector<ITensor*> ports = inputs_and_outputs(network);
  if (const auto rest = values.find(""); rest != values.end()) {
    for (ITensor* port : ports) apply(*port, rest->second);
  }
  for (const auto& [word, value] : values) {
    if (word.empty()) continue;
    ASSAY_TRY(for_each_match<ITensor>(word, ports, "input or output",
                                      [&apply, &value](ITensor& tensor) { apply(tensor, value); }));
  }
  return {};
}

Answer<void> set_formats(const tensorrt::NetworkPlan& plan, const INetworkDefinition& network) {
  std::map<std::string, std::uint32_t> masks;
  for (const auto& [word, names] : plan.tensor_formats) {
    for (const std::string& name : names) {
      const auto number = tensorrt::find_enumerator("TensorFormat", name, "--tensor-formats");
      if (!number) return tl::unexpected(refused(number.error().message()));
      masks[word] |= 1U << static_cast<unsigned>(*number);
    }
  }
  return for_each_port<std::uint32_t>(
      masks, network, [](ITensor& tensor, const std::uint32_t& mask) { tensor.setAllowedFormats(mask); });
}

Answer<void> mark_debug_tensors(const tensorrt::NetworkPlan& plan, const TensorRtSdk& sdk,
                                INetworkDefinition& network) {
  std::vector<ITensor*> tensors = computed_tensors(network);
  for (int i = 0; i < network.getNbInputs(); ++i) tensors.push_back(network.getInput(i));
  for (const std::string& word : plan.debug_tensors) {
    ASSAY_TRY(for_each_match<ITensor>(word, tensors, "tensor", [&network](ITensor& t) { network.markDebug(t); }));
  }
  if (!plan.marks_unfused) return {};
  constexpr const char* kOption = "--mark-unfused-tensors-as-debug-tensors";
#if NV_TENSORRT_MINOR >= 12
  ASSAY_TRY(sdk.needs(12, kOption));
  if (network.markUnfusedTensorsAsDebugTensors()) return {};
  return tl::unexpected(refused("TensorRT doesn't mark unfused tensors for debugging"));
#else
  return sdk.needs_headers(12, kOption);
#endif
}

Answer<void> decompose_attention([[maybe_unused]] const INetworkDefinition& network, const TensorRtSdk& sdk) {
  constexpr const char* kOption = "--decomposable-attentions";
#if NV_TENSORRT_MINOR >= 14
  ASSAY_TRY(sdk.needs(14, kOption));
  for (ILayer* layer : layers_of(network)) {
    if (layer->getType() != nvinfer1::LayerType::kATTENTION_INPUT) continue;
    nvinfer1::IAttention* attention = static_cast<nvinfer1::IAttentionInputLayer*>(layer)->getAttention();
    if (attention->setDecomposable(true)) continue;
    return tl::unexpected(refused(fmt::format("TensorRT can't decompose the attention of '{}'", layer->getName())));
  }
  return {};
#else
  return sdk.needs_headers(14, kOption);
#endif
}

}  // namespace

Answer<void> apply_network(const tensorrt::NetworkPlan& plan, const TensorRtSdk& sdk, INetworkDefinition& network) {
  ASSAY_TRY(choose_outputs(plan, network));
  ASSAY_TRY(set_precisions(plan, network));
  ASSAY_TRY(for_each_port<std::string>(plan.tensor_types, network, [](ITensor& tensor, const std::string& type) {
    tensor.setType(static_cast<DataType>(tensorrt::data_type_number(type)));
  }));
  ASSAY_TRY(set_formats(plan, network));
  ASSAY_TRY(mark_debug_tensors(plan, sdk, network));
  return plan.decomposes_attention ? decompose_attention(network, sdk) : Answer<void>();
}

}  // namespace assay::backend

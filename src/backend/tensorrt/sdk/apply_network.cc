// TensorRT's setters return nothing: what it doesn't accept, such as the precision of a layer in a strongly typed
// network, is only in the log.
#include "backend/tensorrt/sdk/apply_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "backend/tensorrt/sdk/apply_profiles.h"
#include "backend/tensorrt/sdk/headers.h"
#include "backend/tensorrt/sdk/interior_tensors.h"
#include "backend/tensorrt/sdk/match_names.h"
#include "backend/tensorrt/sdk/set_precisions.h"
#include "base/strings.h"

namespace assay::backend {
namespace {

using nvinfer1::DataType;
using nvinfer1::ILayer;
using nvinfer1::INetworkDefinition;
using nvinfer1::ITensor;
using worker::Phase;

std::vector<ITensor*> outputs_of(ILayer& layer) {
  std::vector<ITensor*> outputs;
  for (int i = 0; i < layer.getNbOutputs(); ++i) {
    if (ITensor* output = layer.getOutput(i)) outputs.push_back(output);  // an optional output is null
  }
  return outputs;
}

std::vector<ITensor*> inputs_and_outputs(const INetworkDefinition& network) {
  std::vector<ITensor*> tensors;
  for (int i = 0; i < network.getNbInputs(); ++i) tensors.push_back(network.getInput(i));
  for (int i = 0; i < network.getNbOutputs(); ++i) tensors.push_back(network.getOutput(i));
  return tensors;
}

// Returns the tensors that layers compute and that `wants(layer, tensor)`.
template <class Wants>
std::vector<ITensor*> tensors_of(const INetworkDefinition& network, const Wants& wants) {
  std::vector<ITensor*> tensors;
  for (ILayer* layer : layers_of(network)) {
    for (ITensor* tensor : outputs_of(*layer)) {
      if (wants(*layer, *tensor)) tensors.push_back(tensor);
    }
  }
  return tensors;
}

// Returns the tensors that `words` can mean: patterns don't stand for constants.
std::vector<ITensor*> tensors_for(const std::vector<std::string>& words, const INetworkDefinition& network) {
  return tensors_of(network, [&words](const ILayer& layer, const ITensor& tensor) {
    return layer.getType() != nvinfer1::LayerType::kCONSTANT ||
           std::ranges::find(words, tensor.getName()) != words.end();
  });
}

// Returns whether TensorRT computes a boolean on the host, since shapes depend on it. If it is an output, too, TensorRT
// has to copy it to the GPU, and versions 8 refuse to build such engines:
// https://github.com/NVIDIA/TensorRT/issues/3596
bool is_boolean_on_host(const ITensor& tensor, TensorRtLogger& logger) {
  return tensor.getType() == DataType::kBOOL && is_shape_tensor(tensor, logger);
}

// Marks the wanted tensors as outputs, and no others. Tensors inside loops and conditionals can't be outputs, and
// TensorRT may refuse others. These tensors are left out, unless the user names one of them.
Answer<void> mark_outputs(const std::set<ITensor*>& wanted, const std::vector<std::string>& words, TensorRtSdk& sdk,
                          INetworkDefinition& network) {
  const std::set<const ITensor*> interior = interior_tensors(network);
  std::vector<std::string> left_out;
  for (int i = network.getNbOutputs() - 1; i >= 0; --i) {
    ITensor* output = network.getOutput(i);
    if (!wanted.contains(output)) network.unmarkOutput(*output);
  }
  const auto is_new = [&wanted](const ILayer& /*layer*/, ITensor& tensor) {
    return wanted.contains(&tensor) && !tensor.isNetworkOutput();
  };
  for (ITensor* tensor : tensors_of(network, is_new)) {
    const std::string name = tensor->getName();
    const bool is_named = std::ranges::find(words, name) != words.end();
    const bool is_inside = interior.contains(tensor);
    if (!is_inside && (is_named || !is_boolean_on_host(*tensor, sdk.logger))) network.markOutput(*tensor);
    if (tensor->isNetworkOutput()) continue;
    if (is_named) {
      return tl::unexpected(sdk.logger.refused(
          Phase::build, fmt::format("TensorRT can't have the tensor '{}' as an output{}", name,
                                    is_inside ? ": it is inside a loop or a conditional. Name another one" : "")));
    }
    left_out.push_back(name);
  }
  if (left_out.empty()) return {};
  sdk.logger.clear();
  sdk.logger.add(
      base::Level::warning,
      fmt::format("TensorRT can't have these tensors as outputs, which were left out: {}", base::join(left_out, ", ")));
  return {};
}

Answer<void> choose_outputs(const tensorrt::NetworkPlan& plan, TensorRtSdk& sdk, INetworkDefinition& network) {
  const std::vector<ITensor*> computed = tensors_for(plan.outputs, network);
  std::set<ITensor*> wanted;
  const std::function<void(ITensor&)> want = [&wanted](ITensor& tensor) { wanted.insert(&tensor); };
  for (const std::string& word : plan.outputs) {
    ASSAY_TRY(for_each_match<ITensor>(word, computed, "tensor", want));
  }
  for (const std::string& type : plan.output_types) {
    ASSAY_ASSIGN(const int number, sdk.find_enumerator("LayerType", type, "--trt-outputs-by-type", Phase::build));
    bool any = false;
    for (ILayer* layer : layers_of(network)) {
      if (static_cast<int>(layer->getType()) != number) continue;
      any = true;
      for (ITensor* tensor : outputs_of(*layer)) wanted.insert(tensor);
    }
    if (!any) return refuse(Phase::build, 0, fmt::format("TensorRT's network has no layer of the type {}", type));
  }
  if (!plan.outputs.empty() || !plan.output_types.empty()) {
    ASSAY_TRY(mark_outputs(wanted, plan.outputs, sdk, network));
  }
  const std::vector<ITensor*> can_be_excluded = tensors_for(plan.excluded_outputs, network);
  for (const std::string& word : plan.excluded_outputs) {
    ASSAY_TRY(for_each_match<ITensor>(word, can_be_excluded, "tensor", [&network](ITensor& tensor) {
      if (tensor.isNetworkOutput()) network.unmarkOutput(tensor);
    }));
  }
  return {};
}

#if ASSAY_TENSORRT_UNTIL_10  // the settings for this are refused with TensorRT 11 when the worker starts
Answer<DataType> type_of(const std::string& name, std::string_view option, const TensorRtSdk& sdk) {
  ASSAY_ASSIGN(const int number, sdk.find_enumerator("DataType", name, option, Phase::build));
  return static_cast<DataType>(number);
}
#endif

// Unmarks the outputs that the plan doesn't keep.
void keep_outputs(const tensorrt::NetworkPlan& plan, INetworkDefinition& network) {
  if (!plan.kept_outputs) return;
  const std::set<std::string_view> kept(plan.kept_outputs->begin(), plan.kept_outputs->end());
  for (int i = network.getNbOutputs() - 1; i >= 0; --i) {
    ITensor& output = *network.getOutput(i);
    if (!kept.contains(output.getName())) network.unmarkOutput(output);
  }
}

// Applies the usual value, if there is one, to all ports that take it, and then the values to those that they name.
// `ports`: the inputs and outputs; those that aren't outputs any more can be named, too.
template <class Value>
Answer<void> for_each_port(const std::optional<Value>& usual, const tensorrt::ByPattern<Value>& values,
                           const std::vector<ITensor*>& ports, const std::function<void(ITensor&, const Value&)>& apply,
                           const std::function<bool(const ITensor&)>& takes_usual) {
  const auto apply_to = [&apply](ITensor& port, const Value& value) {
    if (port.isNetworkInput() || port.isNetworkOutput()) apply(port, value);
  };
  if (usual) {
    for (ITensor* port : ports) {
      if (takes_usual(*port)) apply_to(*port, *usual);
    }
  }
  for (const auto& [word, value] : values) {
    ASSAY_TRY(for_each_match<ITensor>(word, ports, "input or output",
                                      [&apply_to, &value](ITensor& tensor) { apply_to(tensor, value); }));
  }
  return {};
}

#if ASSAY_TENSORRT_UNTIL_10
Answer<void> set_types(const tensorrt::NetworkPlan& plan, const std::vector<ITensor*>& ports, const TensorRtSdk& sdk) {
  std::optional<DataType> usual;
  if (plan.usual_tensor_type) {
    ASSAY_ASSIGN(usual, type_of(*plan.usual_tensor_type, "--all-tensor-dtypes", sdk));
  }
  tensorrt::ByPattern<DataType> types;
  for (const auto& [word, name] : plan.tensor_types) {
    ASSAY_ASSIGN(const DataType type, type_of(name, "--tensor-dtypes", sdk));
    types.emplace_back(word, type);
  }
  return for_each_port<DataType>(
      usual, types, ports, [](ITensor& tensor, const DataType& type) { tensor.setType(type); },
      [](const ITensor& /*port*/) { return true; });
}
#endif

Answer<std::uint32_t> mask_of(const std::vector<std::string>& formats, const TensorRtSdk& sdk) {
  std::uint32_t mask = 0;
  for (const std::string& name : formats) {
    ASSAY_ASSIGN(const int number, sdk.find_enumerator("TensorFormat", name, "--tensor-formats", Phase::build));
    mask |= 1U << static_cast<unsigned>(number);
  }
  return mask;
}

Answer<void> set_formats(const tensorrt::NetworkPlan& plan, const std::vector<ITensor*>& ports, TensorRtSdk& sdk) {
  std::optional<std::uint32_t> usual;
  if (plan.usual_tensor_format) {
    ASSAY_ASSIGN(usual, mask_of(*plan.usual_tensor_format, sdk));
  }
  tensorrt::ByPattern<std::uint32_t> masks;
  for (const auto& [word, names] : plan.tensor_formats) {
    ASSAY_ASSIGN(const std::uint32_t mask, mask_of(names, sdk));
    masks.emplace_back(word, mask);
  }
  // Shape tensors are row-major.
  return for_each_port<std::uint32_t>(
      usual, masks, ports, [](ITensor& tensor, const std::uint32_t& mask) { tensor.setAllowedFormats(mask); },
      [&sdk](const ITensor& tensor) { return !is_shape_tensor(tensor, sdk.logger); });
}

Answer<void> mark_debug_tensors(const tensorrt::NetworkPlan& plan, TensorRtSdk& sdk, INetworkDefinition& network) {
  std::vector<ITensor*> tensors = tensors_for(plan.debug_tensors, network);
  for (int i = 0; i < network.getNbInputs(); ++i) tensors.push_back(network.getInput(i));
  const ITensor* refused = nullptr;
  for (const std::string& word : plan.debug_tensors) {
    ASSAY_TRY(for_each_match<ITensor>(word, tensors, "tensor", [&network, &refused](ITensor& tensor) {
      if (!network.markDebug(tensor)) refused = &tensor;
    }));
  }
  if (refused != nullptr) {
    return tl::unexpected(sdk.logger.because(
        Phase::build, fmt::format("TensorRT can't mark the tensor '{}' for debugging", refused->getName())));
  }
  if (!plan.marks_unfused) return {};
  constexpr const char* kOption = "--mark-unfused-tensors-as-debug-tensors";
#if ASSAY_TENSORRT_SINCE_10(12)
  ASSAY_TRY(sdk.needs({10, 12}, kOption));
  if (network.markUnfusedTensorsAsDebugTensors()) return {};
  return tl::unexpected(
      sdk.logger.because(Phase::build, "TensorRT doesn't accept --mark-unfused-tensors-as-debug-tensors"));
#else
  return sdk.needs_headers({10, 12}, kOption);
#endif
}

Answer<void> decompose_attention([[maybe_unused]] const INetworkDefinition& network, TensorRtSdk& sdk) {
  constexpr const char* kOption = "--decomposable-attentions";
#if ASSAY_TENSORRT_SINCE_10(14)
  ASSAY_TRY(sdk.needs({10, 14}, kOption));
  for (ILayer* layer : layers_of(network)) {
    if (layer->getType() != nvinfer1::LayerType::kATTENTION_INPUT) continue;
    nvinfer1::IAttention* attention = static_cast<nvinfer1::IAttentionInputLayer*>(layer)->getAttention();
    if (attention != nullptr && attention->setDecomposable(true)) continue;
    return tl::unexpected(sdk.logger.because(
        Phase::build, fmt::format("TensorRT can't decompose the attention of '{}'", layer->getName())));
  }
  return {};
#else
  return sdk.needs_headers({10, 14}, kOption);
#endif
}

}  // namespace

Answer<void> apply_network(const tensorrt::NetworkPlan& plan, TensorRtSdk& sdk, INetworkDefinition& network) {
  sdk.logger.clear();
  ASSAY_TRY(choose_outputs(plan, sdk, network));
#if ASSAY_TENSORRT_UNTIL_10
  ASSAY_TRY(set_precisions(plan, sdk, network));
#endif
  const std::vector<ITensor*> ports = inputs_and_outputs(network);
  keep_outputs(plan, network);
#if ASSAY_TENSORRT_UNTIL_10
  ASSAY_TRY(set_types(plan, ports, sdk));
#endif
  ASSAY_TRY(set_formats(plan, ports, sdk));
  ASSAY_TRY(mark_debug_tensors(plan, sdk, network));
  if (plan.decomposes_attention) ASSAY_TRY(decompose_attention(network, sdk));
  return sdk.logger.check(Phase::build);
}

}  // namespace assay::backend

#include "tensorrt/network_plan.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "tensorrt/removed_settings.h"

namespace assay::tensorrt {
namespace {

base::Expected<std::vector<std::string>> enumerators(const Words& words, std::string_view option) {
  std::vector<std::string> names;
  for (const std::string& word : words) {
    ASSAY_ASSIGN(std::string name, parse_enumerator(word, option));
    names.push_back(std::move(name));
  }
  return names;
}

// Polygraphy's older words for all tensors are "mark all".
Words names_of(const Words& words) {
  if (words == Words{"mark", "all"}) return {"*"};
  return words;
}

base::Status plan_types(const GivenSettings& given, NetworkPlan& plan) {
  for (const auto& [option, types] :
       {std::pair{"--layer-precisions", &plan.layer_precisions}, std::pair{"--tensor-dtypes", &plan.tensor_types}}) {
    for (const std::string& word : given.words(option)) {
      ASSAY_ASSIGN(const auto pair, parse_pair(word, option));
      ASSAY_ASSIGN(std::string type, parse_type(pair.second, option));
      types->emplace_back(pair.first, std::move(type));
    }
  }
  if (given.has("--all-tensor-dtypes")) {
    ASSAY_ASSIGN(plan.usual_tensor_type, parse_type(given.word("--all-tensor-dtypes"), "--all-tensor-dtypes"));
  }
  return {};
}

base::Status plan_formats(const GivenSettings& given, NetworkPlan& plan) {
  constexpr std::string_view kOption = "--tensor-formats";
  for (const std::string& word : given.words(kOption)) {
    ASSAY_ASSIGN(const auto pair, parse_pair(word, kOption));
    std::string_view list = base::trim(pair.second);
    if (list.size() < 2 || list.front() != '[' || list.back() != ']') {
      return base::fail(base::ErrorKind::invalid_input, fmt::format("'{}' isn't a list of formats", pair.second),
                        std::string(kOption), "Write TENSOR:[linear,chw4]");
    }
    Words names;
    for (const std::string& name : base::split(list.substr(1, list.size() - 2), ',')) {
      names.emplace_back(base::trim(name));
    }
    ASSAY_ASSIGN(auto formats, enumerators(names, kOption));
    plan.tensor_formats.emplace_back(pair.first, std::move(formats));
  }
  if (given.has("--all-tensor-formats")) {
    ASSAY_ASSIGN(plan.usual_tensor_format, enumerators(given.words("--all-tensor-formats"), "--all-tensor-formats"));
  }
  return {};
}

// The plug-in runs neither in other versions of TensorRT nor on other GPUs. NVIDIA's trtexec refuses the same settings.
base::Status check_instancenorm(const GivenSettings& given) {
  constexpr std::string_view kOption = "--plugin-instancenorm";
  constexpr std::string_view kLevel = "--hardware-compatibility-level";
  const bool for_other_gpus = base::to_lower(given.word(kLevel)) == "ampere_plus";
  const bool for_other_versions = given.has("--version-compatible");
  if (!given.has(kOption) || !(for_other_versions || for_other_gpus)) return {};
  return base::fail(base::ErrorKind::invalid_input,
                    "an engine for other GPUs or versions of TensorRT can't have this plug-in", std::string(kOption),
                    fmt::format("Leave out {} or {}", kOption, for_other_versions ? "--version-compatible" : kLevel));
}

}  // namespace

base::Expected<NetworkPlan> plan_network(const GivenSettings& given, const std::string& model) {
  NetworkPlan plan;
  ASSAY_TRY(check_instancenorm(given));
  plan.needs_10 = removed_in_11(given, network_settings());
  if (!model.empty()) plan.model = absolute_path(model);
  plan.strongly_typed = given.has("--strongly-typed");
  ASSAY_ASSIGN(plan.parser_flags, enumerators(given.words("--onnx-flags"), "--onnx-flags"));
  if (given.has("--enable-uint8-asymmetric-quantization-dla")) {
    plan.parser_flags.emplace_back("ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA");
  }
  if (given.has("--plugin-instancenorm")) plan.cleared_parser_flags.emplace_back("NATIVE_INSTANCENORM");
  for (const std::string& file : given.words("--plugins")) plan.plugins.push_back(absolute_path(file));
  for (const std::string& word : given.words("--trt-network-postprocess-script")) {
    plan.changes.push_back(parse_script(word, "postprocess"));
  }
  plan.outputs = names_of(given.words("--trt-outputs"));
  plan.excluded_outputs = given.words("--trt-exclude-outputs");
  if (given.has("outputs")) plan.kept_outputs = given.words("outputs");
  ASSAY_ASSIGN(plan.output_types, enumerators(given.words("--trt-outputs-by-type"), "--trt-outputs-by-type"));
  ASSAY_TRY(plan_types(given, plan));
  ASSAY_TRY(plan_formats(given, plan));
  plan.debug_tensors = given.words("--mark-debug");
  plan.marks_unfused = given.has("--mark-unfused-tensors-as-debug-tensors");
  plan.decomposes_attention = given.has("--decomposable-attentions");
  return plan;
}

base::Expected<NetworkPlan> plan_scripted_network(const GivenSettings& given, Script script) {
  std::vector<std::string_view> of_parser = {"--strongly-typed"};
  for (const Setting& setting : parser_settings()) of_parser.push_back(setting.name());
  for (const std::string_view name : of_parser) {
    if (!given.has(name)) continue;
    return base::fail(base::ErrorKind::invalid_input,
                      "this says how a network is made of a model, and a script makes this one", std::string(name),
                      "Leave it out, and change the script");
  }
  ASSAY_ASSIGN(NetworkPlan plan, plan_network(given, ""));
  plan.begin = std::move(script);
  return plan;
}

}  // namespace assay::tensorrt

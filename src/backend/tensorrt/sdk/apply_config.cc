// The plan names enumerators and properties as TensorRT's Python module does. A table has the number of each enumerator
// in the library's version, so that headers of any version do. It also guards the functions that came after TensorRT
// 10.0: no version has the enumerators that they take without having the functions.
#include "backend/tensorrt/sdk/apply_config.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "backend/tensorrt/sdk/apply_profiles.h"
#include "backend/tensorrt/sdk/dla_core.h"
#include "backend/tensorrt/sdk/headers.h"
#include "backend/tensorrt/sdk/timing_cache.h"
#include "tensorrt/settings.h"

namespace assay::backend {
namespace {

using nvinfer1::IBuilderConfig;
using tensorrt::ConfigPlan;
using worker::Phase;

// Returns the option that sets a flag, property or function of the configuration; empty if none does so alone.
std::string_view option_of(std::string_view member) {
  for (const tensorrt::Setting& setting : tensorrt::config_settings()) {
    if (setting.member == member) return setting.name();
  }
  return {};
}

Answer<nvinfer1::BuilderFlag> flag_of(const std::string& name, const TensorRtSdk& sdk) {
  ASSAY_ASSIGN(const int number, sdk.find_enumerator("BuilderFlag", name, option_of(name), Phase::build));
  return static_cast<nvinfer1::BuilderFlag>(number);
}

Answer<void> set_flags(const std::vector<std::string>& names, bool on, const TensorRtSdk& sdk, IBuilderConfig& config) {
  for (const std::string& name : names) {
    ASSAY_ASSIGN(const nvinfer1::BuilderFlag flag, flag_of(name, sdk));
    if (on) {
      config.setFlag(flag);
    } else {
      config.clearFlag(flag);
    }
  }
  return {};
}

// NVIDIA's trtexec knows the same GPUs.
bool has_precision(const std::string& flag, int compute_capability) {
  if (flag == "BF16") return compute_capability >= 80;
  return flag != "INT8" || compute_capability != 103;
}

Answer<void> set_numbers(const ConfigPlan& plan, [[maybe_unused]] TensorRtSdk& sdk, IBuilderConfig& config) {
  for (const auto& [property, number] : plan.numbers) {
    if (property == "builder_optimization_level") {
      config.setBuilderOptimizationLevel(number);
    } else if (property == "max_aux_streams") {
#if ASSAY_TENSORRT_UNTIL_10
      config.setMaxAuxStreams(number);
#else
      if (!config.setMaxAuxStreams(number)) {
        return tl::unexpected(
            sdk.logger.because(Phase::build, fmt::format("TensorRT doesn't accept --max-aux-streams {}", number)));
      }
#endif
    } else {
      return refuse(Phase::build, 0, fmt::format("this worker can't set {}", property));
    }
  }
  return {};
}

Answer<void> set_choice(const std::string& property, int number, [[maybe_unused]] TensorRtSdk& sdk,
                        IBuilderConfig& config) {
  if (property == "hardware_compatibility_level") {
    config.setHardwareCompatibilityLevel(static_cast<nvinfer1::HardwareCompatibilityLevel>(number));
    return {};
  }
  if (property == "profiling_verbosity") {
    config.setProfilingVerbosity(static_cast<nvinfer1::ProfilingVerbosity>(number));
    return {};
  }
  if (property == "engine_capability") {
    config.setEngineCapability(static_cast<nvinfer1::EngineCapability>(number));
    return {};
  }
#if ASSAY_TENSORRT_SINCE_10(2)
  if (property == "runtime_platform") {
    config.setRuntimePlatform(static_cast<nvinfer1::RuntimePlatform>(number));
    return {};
  }
#endif
#if ASSAY_TENSORRT_SINCE_10(8)
  if (property == "tiling_optimization_level") {
    if (config.setTilingOptimizationLevel(static_cast<nvinfer1::TilingOptimizationLevel>(number))) return {};
    return tl::unexpected(
        sdk.logger.because(Phase::build, "TensorRT doesn't accept this level of --tiling-optimization-level"));
  }
#endif
  return refuse(Phase::build, 0,
                fmt::format("this worker can't set {}: it was built with the headers of TensorRT {}.{}", property,
                            NV_TENSORRT_MAJOR, NV_TENSORRT_MINOR));
}

Answer<void> set_lists(const ConfigPlan& plan, TensorRtSdk& sdk, IBuilderConfig& config) {
  for (const auto& [function, list] : plan.lists) {
    std::uint32_t mask = 0;
    for (const std::string& name : list.names) {
      ASSAY_ASSIGN(const int number, sdk.find_enumerator(list.type, name, option_of(function), Phase::build));
      mask |= 1U << static_cast<unsigned>(number);
    }
    if (function == "set_tactic_sources") {
      if (!config.setTacticSources(mask)) {
        return tl::unexpected(sdk.logger.because(Phase::build, "TensorRT doesn't accept these tactic sources"));
      }
#if ASSAY_TENSORRT_UNTIL_10
    } else if (function == "set_quantization_flag") {
      config.setQuantizationFlags(mask);
#endif
    } else if (function == "set_preview_feature") {
      for (const int number : tensorrt::enumerators_in(list.type, sdk.library.version())) {
        const auto feature = static_cast<nvinfer1::PreviewFeature>(number);
        const bool wanted = (mask >> static_cast<unsigned>(number) & 1U) != 0;
        if (config.getPreviewFeature(feature) != wanted) config.setPreviewFeature(feature, wanted);
      }
    } else {
      return refuse(Phase::build, 0, fmt::format("this worker can't call {}", function));
    }
  }
  return {};
}

Answer<void> use_dla(const ConfigPlan& plan, TensorRtSdk& sdk, const nvinfer1::IBuilder& builder,
                     IBuilderConfig& config) {
  const int cores = builder.getNbDLACores();
  if (cores <= 0 && plan.falls_back && !plan.dla_core) {
    sdk.logger.add(base::Level::warning,
                   "this machine has no DLA, so all layers run on the GPU (--allow-gpu-fallback)");
    return {};
  }
  const int core = plan.dla_core.value_or(0);
  ASSAY_TRY(check_dla_core(core, cores, Phase::build));
  config.setDefaultDeviceType(nvinfer1::DeviceType::kDLA);
  config.setDLACore(core);
  return {};
}

}  // namespace

std::vector<std::string> flags_of_gpu(std::vector<std::string> flags, TensorRtSdk& sdk) {
  std::erase_if(flags, [&sdk](const std::string& flag) {
    if (has_precision(flag, sdk.driver.compute_capability())) return false;
    sdk.logger.add(base::Level::info, fmt::format("--best: the {} doesn't compute in {}", sdk.driver.device_name(),
                                                  flag == "BF16" ? "bfloat16" : "int8"));
    return true;
  });
  return flags;
}

Answer<void> apply_settings(const ConfigPlan& plan, TensorRtSdk& sdk, const nvinfer1::IBuilder& builder,
                            IBuilderConfig& config) {
  sdk.logger.clear();
  ASSAY_TRY(set_flags(plan.flags, true, sdk, config));
  ASSAY_TRY(set_flags(plan.cleared, false, sdk, config));
  ASSAY_TRY(set_flags(flags_of_gpu(plan.flags_of_best, sdk), true, sdk, config));
  if (ASSAY_TENSORRT_UNTIL_10) ASSAY_TRY(set_flags(plan.flags_of_10, true, sdk, config));
  ASSAY_TRY(set_numbers(plan, sdk, config));
  for (const auto& [property, choice] : plan.choices) {
    ASSAY_ASSIGN(const int number, sdk.find_enumerator(choice.type, choice.name, option_of(property), Phase::build));
    ASSAY_TRY(set_choice(property, number, sdk, config));
  }
  ASSAY_TRY(set_lists(plan, sdk, config));
  for (const auto& [name, bytes] : plan.pool_limits) {
    ASSAY_ASSIGN(const int number, sdk.find_enumerator("MemoryPoolType", name, "--pool-limit", Phase::build));
    config.setMemoryPoolLimit(static_cast<nvinfer1::MemoryPoolType>(number), bytes);
  }
  if (plan.use_dla) ASSAY_TRY(use_dla(plan, sdk, builder, config));
  return sdk.logger.check(Phase::build);
}

Answer<ConfigParts> apply_config(const ConfigPlan& plan, const std::string& saved_cache,
                                 const std::string& calibration_data, TensorRtSdk& sdk, nvinfer1::IBuilder& builder,
                                 const nvinfer1::INetworkDefinition& network, IBuilderConfig& config) {
  ConfigParts parts;
  sdk.logger.clear();
  ASSAY_TRY(apply_profiles(plan, builder, network, sdk, config));
  ASSAY_ASSIGN(parts.callbacks, set_callbacks(plan, calibration_data, sdk, builder, network, config));
  ASSAY_TRY(sdk.logger.check(Phase::build));
  ASSAY_ASSIGN(parts.timing_cache, set_timing_cache(plan.timing_cache, saved_cache, config, sdk.logger));
  return parts;
}

}  // namespace assay::backend

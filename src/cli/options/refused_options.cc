#include "cli/options/refused_options.h"

#include <fmt/format.h>

#include <array>

namespace assay::cli {
namespace {

constexpr std::string_view kTensorRt = "needs TensorRT, and this build has no TensorRT worker";
constexpr std::string_view kTensorFlow = "needs TensorFlow, and this build has no TensorFlow worker";

constexpr std::array kTensorRtOptions = {
    RefusedOption{"--trt-min-shapes", true, kTensorRt},
    RefusedOption{"--trt-opt-shapes", true, kTensorRt},
    RefusedOption{"--trt-max-shapes", true, kTensorRt},
    RefusedOption{"--tf32", false, kTensorRt},
    RefusedOption{"--fp16", false, kTensorRt},
    RefusedOption{"--bf16", false, kTensorRt},
    RefusedOption{"--fp8", false, kTensorRt},
    RefusedOption{"--int8", false, kTensorRt},
    RefusedOption{"--precision-constraints", true, kTensorRt},
    RefusedOption{"--sparse-weights", false, kTensorRt},
    RefusedOption{"--version-compatible", false, kTensorRt},
    RefusedOption{"--exclude-lean-runtime", false, kTensorRt},
    RefusedOption{"--calibration-cache", true, kTensorRt},
    RefusedOption{"--calib-base-cls,--calibration-base-class", true, kTensorRt},
    RefusedOption{"--quantile", true, kTensorRt},
    RefusedOption{"--regression-cutoff", true, kTensorRt},
    RefusedOption{"--load-timing-cache", true, kTensorRt},
    RefusedOption{"--error-on-timing-cache-miss", false, kTensorRt},
    RefusedOption{"--disable-compilation-cache", false, kTensorRt},
    RefusedOption{"--save-tactics,--save-tactic-replay", true, kTensorRt},
    RefusedOption{"--load-tactics,--load-tactic-replay", true, kTensorRt},
    RefusedOption{"--tactic-sources", true, kTensorRt},
    RefusedOption{"--trt-config-script", true, kTensorRt},
    RefusedOption{"--trt-config-postprocess-script,--trt-cpps", true, kTensorRt},
    RefusedOption{"--trt-safety-restricted", false, kTensorRt},
    RefusedOption{"--refittable", false, kTensorRt},
    RefusedOption{"--strip-plan", false, kTensorRt},
    RefusedOption{"--use-dla", false, kTensorRt},
    RefusedOption{"--allow-gpu-fallback", false, kTensorRt},
    RefusedOption{"--pool-limit,--memory-pool-limit", true, kTensorRt},
    RefusedOption{"--preview-features", true, kTensorRt},
    RefusedOption{"--builder-optimization-level", true, kTensorRt},
    RefusedOption{"--hardware-compatibility-level", true, kTensorRt},
    RefusedOption{"--max-aux-streams", true, kTensorRt},
    RefusedOption{"--quantization-flags", true, kTensorRt},
    RefusedOption{"--profiling-verbosity", true, kTensorRt},
    RefusedOption{"--weight-streaming", false, kTensorRt},
    RefusedOption{"--runtime-platform", true, kTensorRt},
    RefusedOption{"--direct-io", false, kTensorRt},
    RefusedOption{"--tiling-optimization-level", true, kTensorRt},
    RefusedOption{"--onnx-flags", true, kTensorRt},
    RefusedOption{"--plugin-instancenorm", false, kTensorRt},
    RefusedOption{"--enable-uint8-asymmetric-quantization-dla", false, kTensorRt},
    RefusedOption{"--trt-outputs", true, kTensorRt},
    RefusedOption{"--trt-exclude-outputs", true, kTensorRt},
    RefusedOption{"--trt-outputs-by-type", true, kTensorRt},
    RefusedOption{"--layer-precisions", true, kTensorRt},
    RefusedOption{"--decomposable-attentions", false, kTensorRt},
    RefusedOption{"--tensor-dtypes,--tensor-datatypes", true, kTensorRt},
    RefusedOption{"--all-tensor-dtypes,--all-tensor-datatypes", true, kTensorRt},
    RefusedOption{"--tensor-formats", true, kTensorRt},
    RefusedOption{"--all-tensor-formats", true, kTensorRt},
    RefusedOption{"--trt-network-postprocess-script,--trt-npps", true, kTensorRt},
    RefusedOption{"--strongly-typed", false, kTensorRt},
    RefusedOption{"--mark-debug", true, kTensorRt},
    RefusedOption{"--mark-unfused-tensors-as-debug-tensors", false, kTensorRt},
};

constexpr std::array kTensorRtEngineOptions = {
    RefusedOption{"--load-runtime", true, kTensorRt},
    RefusedOption{"--dla-workspace-allocation-strategy", true, kTensorRt},
    RefusedOption{"--save-timing-cache", true, kTensorRt},
};

constexpr std::array kTensorRtPluginOptions = {
    RefusedOption{"--plugins", true, kTensorRt},
};

constexpr std::array kTensorFlowOptions = {
    RefusedOption{"--ckpt", true, kTensorFlow},
    RefusedOption{"--tf-outputs", true, kTensorFlow},
    RefusedOption{"--freeze-graph", false, kTensorFlow},
    RefusedOption{"--opset", true, kTensorFlow},
};

}  // namespace

std::span<const RefusedOption> tensorrt_options() {
  return kTensorRtOptions;
}
std::span<const RefusedOption> tensorrt_engine_options() {
  return kTensorRtEngineOptions;
}
std::span<const RefusedOption> tensorrt_plugin_options() {
  return kTensorRtPluginOptions;
}
std::span<const RefusedOption> tensorflow_options() {
  return kTensorFlowOptions;
}

void RefusedOptions::add_to(CLI::App& app, std::span<const RefusedOption> options) {
  for (const RefusedOption& option : options) {
    const std::string spellings(option.spellings);
    if (app.get_option_no_throw(spellings.substr(0, spellings.find(','))) != nullptr) continue;
    CLI::Option* parsed =
        option.takes_value ? app.add_option(spellings, values_)->expected(0, -1) : app.add_flag(spellings);
    parsed->group("");
    added_.push_back({option, parsed});
  }
}

base::Status RefusedOptions::check() const {
  for (const Given& given : added_) {
    if (given.parsed->count() == 0) continue;
    return base::fail(base::ErrorKind::unsupported, fmt::format("this option {}", given.option.reason),
                      std::string(given.option.spellings.substr(0, given.option.spellings.find(','))), "Leave it out");
  }
  return {};
}

}  // namespace assay::cli

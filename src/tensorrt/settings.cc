#include "tensorrt/settings.h"

#include <array>

namespace assay::tensorrt {
namespace {

using Form = Setting::Form;

constexpr Setting flag(std::string_view flags, std::string_view member, std::string_view help) {
  return {.flags = flags, .form = Form::flag, .help = help, .member = member};
}

constexpr Setting choice(std::string_view flags, std::string_view member, std::string_view type,
                         std::string_view help) {
  return {.flags = flags, .form = Form::choice, .placeholder = "NAME", .help = help, .member = member, .type = type};
}

constexpr Setting choices(std::string_view flags, std::string_view member, std::string_view type,
                          std::string_view help) {
  return {.flags = flags, .form = Form::choices, .placeholder = "NAME", .help = help, .member = member, .type = type};
}

constexpr Setting number(std::string_view flags, std::string_view member, std::string_view help) {
  return {.flags = flags, .form = Form::number, .placeholder = "N", .help = help, .member = member};
}

constexpr Setting word(std::string_view flags, std::string_view placeholder, std::string_view help) {
  return {.flags = flags, .form = Form::word, .placeholder = placeholder, .help = help};
}

constexpr Setting words(std::string_view flags, std::string_view placeholder, std::string_view help) {
  return {.flags = flags, .form = Form::words, .placeholder = placeholder, .help = help};
}

// Networks of TensorRT 11 are always strongly typed: types are those of the model. These are the ways to get others.
constexpr std::string_view kCast = "Its layers compute in the types of the model: put Cast nodes into that";
constexpr std::string_view kConvert =
    "Its layers compute in the types of the model: convert that with `assay convert --fp-to-fp16` or `assay debug "
    "precision --onnxrt`";
constexpr std::string_view kQuantize = "Quantize the model, with QuantizeLinear and DequantizeLinear nodes";
constexpr std::string_view kEditCache = "Use --editable-timing-cache and --load-timing-cache";

constexpr Setting until_10(Setting setting, std::string_view instead) {
  setting.instead_in_11 = instead;
  return setting;
}

constexpr std::array kConfig = {
    words("--trt-min-shapes", "NAME:SHAPE",
          "Smallest shapes of an optimisation profile; repeat the option for each profile"),
    words("--trt-opt-shapes", "NAME:SHAPE", "Shapes for which TensorRT optimises; one option per profile"),
    words("--trt-max-shapes", "NAME:SHAPE", "Largest shapes of an optimisation profile; one option per profile"),
    Setting{.flags = "--tf32", .form = Form::flag, .help = "Allow TF32", .member = "TF32", .default_on = true},
    until_10(flag("--fp16", "FP16", "Allow float16"), kConvert),
    until_10(flag("--bf16", "BF16", "Allow bfloat16"), kCast),
    until_10(flag("--fp8", "FP8", "Allow float8"), kQuantize),
    until_10(flag("--int8", "INT8", "Allow int8"), kQuantize),
    until_10(Setting{.flags = "--best",
                     .form = Form::flag,
                     .help = "Allow float16, bfloat16 and int8, as far as the GPU has them"},
             kQuantize),
    until_10(word("--precision-constraints", "MODE",
                  "Whether layers keep the precision that they are given: prefer, obey or none"),
             kCast),
    flag("--sparse-weights", "SPARSE_WEIGHTS", "Allow kernels for sparse weights"),
    flag("--version-compatible", "VERSION_COMPATIBLE", "Build an engine for later versions of TensorRT, too"),
    flag("--exclude-lean-runtime", "EXCLUDE_LEAN_RUNTIME", "Leave the lean runtime out of a version-compatible engine"),
    words("--serialize-plugins", "FILE",
          "Load these plug-in libraries, and put them into the version-compatible engine, which then runs without "
          "--plugins"),
    until_10(word("--calibration-cache", "FILE", "Calibrate int8 from this cache"), kQuantize),
    until_10(word("--calib-base-cls,--calibration-base-class", "CLASS", "The calibrator's base class in TensorRT"),
             kQuantize),
    until_10(word("--quantile", "P", "Quantile of the legacy calibrator"), kQuantize),
    until_10(word("--regression-cutoff", "P", "Regression cutoff of the legacy calibrator"), kQuantize),
    word("--load-timing-cache", "FILE", "Use this timing cache"),
    flag("--error-on-timing-cache-miss", "ERROR_ON_TIMING_CACHE_MISS", "Fail if a tactic isn't in the timing cache"),
    flag("--editable-timing-cache", "EDITABLE_TIMING_CACHE",
         "Let the timing cache keep which tactics were chosen, so that they can be changed (TensorRT 10.8)"),
    flag("--disable-compilation-cache", "DISABLE_COMPILATION_CACHE", "Don't cache compiled kernels"),
    until_10(word("--save-tactics,--save-tactic-replay", "FILE", "Save the chosen tactics"), kEditCache),
    until_10(word("--load-tactics,--load-tactic-replay", "FILE", "Use the tactics of this file"), kEditCache),
    choices("--tactic-sources", "set_tactic_sources", "TacticSource", "Use tactics of these sources only"),
    word("--trt-config-script", "FILE[:FUNCTION]", "Begin with the configuration that this Python function returns"),
    word("--trt-config-postprocess-script,--trt-cpps", "FILE[:FUNCTION]",
         "Let this Python function change the configuration"),
    flag("--trt-safety-restricted", "SAFETY_SCOPE", "Refuse what the safety runtime can't run"),
    flag("--refittable", "REFIT", "Build an engine whose weights can be replaced"),
    flag("--strip-plan", "STRIP_PLAN", "Build an engine without the weights that can be replaced"),
    Setting{.flags = "--use-dla", .form = Form::flag, .help = "Run on the deep-learning accelerator where possible"},
    word("--dla-core", "N", "Use this core of the accelerator, counted from 0 (default: 0)"),
    flag("--allow-gpu-fallback", "GPU_FALLBACK", "Run on the GPU what the accelerator can't"),
    words("--pool-limit,--memory-pool-limit", "POOL:SIZE", "Limit memory pools, such as workspace:1G"),
    choices("--preview-features", "set_preview_feature", "PreviewFeature", "Use these preview features only"),
    number("--builder-optimization-level", "builder_optimization_level", "How long to search for fast tactics"),
    choice("--hardware-compatibility-level", "hardware_compatibility_level", "HardwareCompatibilityLevel",
           "Build an engine for other GPUs, too"),
    choice("--engine-capability", "engine_capability", "EngineCapability",
           "The kind of runtime that will run the engine"),
    number("--max-aux-streams", "max_aux_streams", "Use at most this many auxiliary streams"),
    until_10(choices("--quantization-flags", "set_quantization_flag", "QuantizationFlag",
                     "Set these quantization flags only"),
             kQuantize),
    choice("--profiling-verbosity", "profiling_verbosity", "ProfilingVerbosity",
           "How much the engine tells about its layers (default: detailed)"),
    flag("--weight-streaming", "WEIGHT_STREAMING", "Build an engine that can stream weights from host memory"),
    choice("--runtime-platform", "runtime_platform", "RuntimePlatform", "The platform that will run the engine"),
    flag("--direct-io", "DIRECT_IO", "Don't reformat inputs and outputs"),
    choice("--tiling-optimization-level", "tiling_optimization_level", "TilingOptimizationLevel",
           "How much to optimise tiling"),
};

constexpr std::array kParser = {
    choices("--onnx-flags", "set_flag", "OnnxParserFlag", "Set these flags of the ONNX parser"),
    Setting{
        .flags = "--plugin-instancenorm", .form = Form::flag, .help = "Compute InstanceNormalization with a plug-in"},
    Setting{.flags = "--enable-uint8-asymmetric-quantization-dla",
            .form = Form::flag,
            .help = "Allow uint8 and asymmetric quantization on the accelerator"},
};

constexpr std::array kNetwork = {
    words("--trt-outputs", "NAME", "Make these tensors the outputs; * for all"),
    words("--trt-exclude-outputs", "NAME", "Don't make these tensors outputs"),
    words("--trt-outputs-by-type", "TYPE", "Make all outputs of layers of these types outputs of the network"),
    until_10(words("--layer-precisions", "LAYER:TYPE", "Compute layers in these types"), kCast),
    Setting{.flags = "--decomposable-attentions",
            .form = Form::flag,
            .help = "Let TensorRT decompose attention for which it has no fused kernel"},
    until_10(words("--tensor-dtypes,--tensor-datatypes", "TENSOR:TYPE", "Types of inputs and outputs"), kCast),
    until_10(word("--all-tensor-dtypes,--all-tensor-datatypes", "TYPE", "Type of all other inputs and outputs"), kCast),
    words("--tensor-formats", "TENSOR:[FORMAT,...]", "Allowed formats of inputs and outputs"),
    words("--all-tensor-formats", "FORMAT", "Allowed formats of all other inputs and outputs"),
    words("--trt-network-postprocess-script,--trt-npps", "FILE[:FUNCTION]",
          "Let these Python functions change the network"),
    Setting{.flags = "--strongly-typed", .form = Form::flag, .help = "Keep the types that the model has"},
    words("--mark-debug", "NAME", "Mark these tensors for debugging"),
    Setting{.flags = "--mark-unfused-tensors-as-debug-tensors",
            .form = Form::flag,
            .help = "Mark all unfused tensors for debugging"},
};

constexpr std::array kPlugins = {words("--plugins", "FILE", "Load these plug-in libraries")};

constexpr std::array kEngine = {
    word("--load-runtime", "FILE", "Load this lean runtime"),
    word("--dla-workspace-allocation-strategy", "NAME", "How the accelerator's workspace is allocated"),
    word("--save-timing-cache", "FILE", "Save the timing cache, or add to it"),
};

constexpr std::array kRun = {
    word("--save-engine", "FILE", "Save the engine"),
    Setting{.flags = "--trt-optional-profiles",
            .form = Form::flag,
            .help = "Let profiles mention inputs that the model doesn't have, such as those that a candidate of debug "
                    "reduce lacks"},
    word("--optimization-profile", "INDEX",
         "Use this profile, counted from 0 (default: the first that takes the inputs)"),
    word("--allocation-strategy", "WHEN",
         "When memory for activations is allocated: static, once for all profiles; profile, when a profile is chosen; "
         "runtime, for the shapes of each run (default: static)"),
    word("--refit-from-onnx", "FILE",
         "Give the engine the weights of this ONNX model; for an engine that was built without weights (--strip-plan), "
         "or whose weights can be replaced (--refittable)"),
    word("--weight-streaming-budget", "SIZE",
         "Keep this much of the weights on the GPU: bytes, a percentage such as 50%, -1 for TensorRT's choice, or -2 "
         "for all (default: all)"),
};

}  // namespace

std::span<const Setting> config_settings() {
  return kConfig;
}
std::span<const Setting> network_settings() {
  return kNetwork;
}
std::span<const Setting> parser_settings() {
  return kParser;
}
std::span<const Setting> plugin_settings() {
  return kPlugins;
}
std::span<const Setting> engine_settings() {
  return kEngine;
}
std::vector<std::span<const Setting>> all_settings() {
  return {kConfig, kParser, kNetwork, kPlugins, kEngine, kRun};
}
std::vector<std::span<const Setting>> build_settings() {
  return {kConfig, kParser, kNetwork, kPlugins, kEngine};
}

}  // namespace assay::tensorrt

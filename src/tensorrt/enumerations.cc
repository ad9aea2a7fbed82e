#include "tensorrt/enumerations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <span>
#include <vector>

#include "base/similar_names.h"

namespace assay::tensorrt {
namespace {

constexpr int kSame = -1;     // TensorRT 11 has the number of TensorRT 10
constexpr int kRemoved = -2;  // TensorRT 11 doesn't have it

struct Enumerator {
  std::string_view name;
  int number;
  int in_11 = kSame;
  int since = 0;  // TensorRT 10.since is the first version that has it; 0: all have it
};

constexpr Enumerator kBuilderFlag[] = {
    {"FP16", 0, kRemoved},
    {"INT8", 1, kRemoved},
    {"DEBUG", 2},
    {"GPU_FALLBACK", 3},
    {"REFIT", 4},
    {"DISABLE_TIMING_CACHE", 5},
    {"TF32", 6},
    {"SPARSE_WEIGHTS", 7},
    {"SAFETY_SCOPE", 8},
    {"OBEY_PRECISION_CONSTRAINTS", 9, kRemoved},
    {"PREFER_PRECISION_CONSTRAINTS", 10, kRemoved},
    {"DIRECT_IO", 11},
    {"REJECT_EMPTY_ALGORITHMS", 12, kRemoved},
    {"VERSION_COMPATIBLE", 13, 12},
    {"EXCLUDE_LEAN_RUNTIME", 14, 13},
    {"FP8", 15, kRemoved},
    {"ERROR_ON_TIMING_CACHE_MISS", 16, 15},
    {"BF16", 17, kRemoved},
    {"DISABLE_COMPILATION_CACHE", 18, 17},
    {"STRIP_PLAN", 19, 18},
    {"WEIGHTLESS", 19, kRemoved},  // the old name of STRIP_PLAN
    {"REFIT_IDENTICAL", 20, 19},
    {"WEIGHT_STREAMING", 21, 20},
    {"INT4", 22, kRemoved, 1},
    {"REFIT_INDIVIDUAL", 23, 22, 2},
    {"STRICT_NANS", 24, 23, 6},
    {"MONITOR_MEMORY", 25, 24, 6},
    {"FP4", 26, kRemoved, 8},
    {"EDITABLE_TIMING_CACHE", 27, 26, 8},
    {"DISTRIBUTIVE_INDEPENDENCE", 28, 27, 12},
};
constexpr Enumerator kTacticSource[] = {
    {"CUBLAS", 0, kRemoved},          {"CUBLAS_LT", 1, kRemoved}, {"CUDNN", 2, kRemoved},
    {"EDGE_MASK_CONVOLUTIONS", 3, 0}, {"JIT_CONVOLUTIONS", 4, 1},
};
constexpr Enumerator kPreviewFeature[] = {
    {"PROFILE_SHARING_0806", 0, kRemoved},
    {"ALIASED_PLUGIN_IO_10_03", 1, 0, 3},
    {"RUNTIME_ACTIVATION_RESIZE_10_10", 2, 1, 10},
    {"MULTIDEVICE_RUNTIME_10_16", 3, kRemoved, 16},
};
constexpr Enumerator kHardwareCompatibilityLevel[] = {
    {"NONE", 0},
    {"AMPERE_PLUS", 1},
    {"SAME_COMPUTE_CAPABILITY", 2, kSame, 9},
};
constexpr Enumerator kQuantizationFlag[] = {
    {"CALIBRATE_BEFORE_FUSION", 0, kRemoved},
};
constexpr Enumerator kProfilingVerbosity[] = {
    {"LAYER_NAMES_ONLY", 0},
    {"NONE", 1},
    {"DETAILED", 2},
};
constexpr Enumerator kRuntimePlatform[] = {
    {"SAME_AS_BUILD", 0, kSame, 2},
    {"WINDOWS_AMD64", 1, kSame, 2},
};
constexpr Enumerator kTilingOptimizationLevel[] = {
    {"NONE", 0, kSame, 8},
    {"FAST", 1, kSame, 8},
    {"MODERATE", 2, kSame, 8},
    {"FULL", 3, kSame, 8},
};
constexpr Enumerator kMemoryPoolType[] = {
    {"WORKSPACE", 0},       {"DLA_MANAGED_SRAM", 1}, {"DLA_LOCAL_DRAM", 2},
    {"DLA_GLOBAL_DRAM", 3}, {"TACTIC_DRAM", 4},      {"TACTIC_SHARED_MEMORY", 5},
};
constexpr Enumerator kOnnxParserFlag[] = {
    {"NATIVE_INSTANCENORM", 0},
    {"ENABLE_UINT8_AND_ASYMMETRIC_QUANTIZATION_DLA", 1, kSame, 11},
    {"REPORT_CAPABILITY_DLA", 2, kSame, 15},
    {"ENABLE_PLUGIN_OVERRIDE", 3, kSame, 15},
    {"ADJUST_FOR_DLA", 4, kSame, 16},
};
constexpr Enumerator kLayerType[] = {
    {"CONVOLUTION", 0},
    {"CAST", 1},
    {"ACTIVATION", 2},
    {"POOLING", 3},
    {"LRN", 4},
    {"SCALE", 5},
    {"SOFTMAX", 6},
    {"DECONVOLUTION", 7},
    {"CONCATENATION", 8},
    {"ELEMENTWISE", 9},
    {"PLUGIN", 10},
    {"UNARY", 11},
    {"PADDING", 12},
    {"SHUFFLE", 13},
    {"REDUCE", 14},
    {"TOPK", 15},
    {"GATHER", 16},
    {"MATRIX_MULTIPLY", 17},
    {"RAGGED_SOFTMAX", 18},
    {"CONSTANT", 19},
    {"IDENTITY", 20},
    {"PLUGIN_V2", 21},
    {"SLICE", 22},
    {"SHAPE", 23},
    {"PARAMETRIC_RELU", 24},
    {"RESIZE", 25},
    {"TRIP_LIMIT", 26},
    {"RECURRENCE", 27},
    {"ITERATOR", 28},
    {"LOOP_OUTPUT", 29},
    {"SELECT", 30},
    {"FILL", 31},
    {"QUANTIZE", 32},
    {"DEQUANTIZE", 33},
    {"CONDITION", 34},
    {"CONDITIONAL_INPUT", 35},
    {"CONDITIONAL_OUTPUT", 36},
    {"SCATTER", 37},
    {"EINSUM", 38},
    {"ASSERTION", 39},
    {"ONE_HOT", 40},
    {"NON_ZERO", 41},
    {"GRID_SAMPLE", 42},
    {"NMS", 43},
    {"REVERSE_SEQUENCE", 44},
    {"NORMALIZATION", 45},
    {"PLUGIN_V3", 46},
    {"SQUEEZE", 47, kSame, 7},
    {"UNSQUEEZE", 48, kSame, 7},
    {"CUMULATIVE", 49, kSame, 8},
    {"DYNAMIC_QUANTIZE", 50, kSame, 8},
    {"ATTENTION_INPUT", 51, kSame, 14},
    {"ATTENTION_OUTPUT", 52, kSame, 14},
    {"ROTARY_EMBEDDING", 53, kSame, 15},
    {"KVCACHE_UPDATE", 54, kSame, 15},
    {"KV_CACHE_UPDATE", 54, kSame, 15},  // in Python
    {"MOE", 55, kSame, 16},
    {"DIST_COLLECTIVE", 56, kSame, 16},
};
constexpr Enumerator kTensorFormat[] = {
    {"LINEAR", 0}, {"CHW2", 1}, {"HWC8", 2},       {"CHW4", 3},      {"CHW16", 4},  {"CHW32", 5}, {"DHWC8", 6},
    {"CDHW32", 7}, {"HWC", 8},  {"DLA_LINEAR", 9}, {"DLA_HWC4", 10}, {"HWC16", 11}, {"DHWC", 12},
};
constexpr Enumerator kEngineCapability[] = {
    {"STANDARD", 0},
    {"SAFETY", 1},
    {"DLA_STANDALONE", 2},
};
constexpr Enumerator kExecutionContextAllocationStrategy[] = {
    {"STATIC", 0},
    {"ON_PROFILE_CHANGE", 1},
    {"USER_MANAGED", 2},
};

// The enumerations of layers' attributes.
constexpr Enumerator kActivationType[] = {
    {"RELU", 0},         {"SIGMOID", 1},           {"TANH", 2},      {"LEAKY_RELU", 3}, {"ELU", 4},
    {"SELU", 5},         {"SOFTSIGN", 6},          {"SOFTPLUS", 7},  {"CLIP", 8},       {"HARD_SIGMOID", 9},
    {"SCALED_TANH", 10}, {"THRESHOLDED_RELU", 11}, {"GELU_ERF", 12}, {"GELU_TANH", 13}};
constexpr Enumerator kPaddingMode[] = {
    {"EXPLICIT_ROUND_DOWN", 0}, {"EXPLICIT_ROUND_UP", 1}, {"SAME_UPPER", 2}, {"SAME_LOWER", 3}};
constexpr Enumerator kPoolingType[] = {{"MAX", 0}, {"AVERAGE", 1}, {"MAX_AVERAGE_BLEND", 2}};
constexpr Enumerator kScaleMode[] = {{"UNIFORM", 0}, {"CHANNEL", 1}, {"ELEMENTWISE", 2}};
constexpr Enumerator kElementWiseOperation[] = {{"SUM", 0},  {"PROD", 1},   {"MAX", 2},       {"MIN", 3},  {"SUB", 4},
                                                {"DIV", 5},  {"POW", 6},    {"FLOOR_DIV", 7}, {"AND", 8},  {"OR", 9},
                                                {"XOR", 10}, {"EQUAL", 11}, {"GREATER", 12},  {"LESS", 13}};
constexpr Enumerator kGatherMode[] = {{"DEFAULT", 0}, {"ELEMENT", 1}, {"ND", 2}};
constexpr Enumerator kUnaryOperation[] = {{"EXP", 0},    {"LOG", 1},    {"SQRT", 2},   {"RECIP", 3},  {"ABS", 4},
                                          {"NEG", 5},    {"SIN", 6},    {"COS", 7},    {"TAN", 8},    {"SINH", 9},
                                          {"COSH", 10},  {"ASIN", 11},  {"ACOS", 12},  {"ATAN", 13},  {"ASINH", 14},
                                          {"ACOSH", 15}, {"ATANH", 16}, {"CEIL", 17},  {"FLOOR", 18}, {"ERF", 19},
                                          {"NOT", 20},   {"SIGN", 21},  {"ROUND", 22}, {"ISINF", 23}, {"ISNAN", 24}};
constexpr Enumerator kReduceOperation[] = {{"SUM", 0}, {"PROD", 1}, {"MAX", 2}, {"MIN", 3}, {"AVG", 4}, {"NONE", 5}};
constexpr Enumerator kSampleMode[] = {{"STRICT_BOUNDS", 0}, {"WRAP", 1}, {"CLAMP", 2}, {"FILL", 3}, {"REFLECT", 4}};
constexpr Enumerator kTopKOperation[] = {{"MAX", 0}, {"MIN", 1}};
constexpr Enumerator kMatrixOperation[] = {{"NONE", 0}, {"TRANSPOSE", 1}, {"VECTOR", 2}};
constexpr Enumerator kInterpolationMode[] = {{"NEAREST", 0}, {"LINEAR", 1}, {"CUBIC", 2}};
constexpr Enumerator kResizeCoordinateTransformation[] = {{"ALIGN_CORNERS", 0}, {"ASYMMETRIC", 1}, {"HALF_PIXEL", 2}};
constexpr Enumerator kResizeSelector[] = {{"FORMULA", 0}, {"UPPER", 1}};
constexpr Enumerator kResizeRoundMode[] = {{"HALF_UP", 0}, {"HALF_DOWN", 1}, {"FLOOR", 2}, {"CEIL", 3}};
constexpr Enumerator kLoopOutput[] = {{"LAST_VALUE", 0}, {"CONCATENATE", 1}, {"REVERSE", 2}};
constexpr Enumerator kTripLimit[] = {{"COUNT", 0}, {"WHILE", 1}};
constexpr Enumerator kFillOperation[] = {{"LINSPACE", 0}, {"RANDOM_UNIFORM", 1}, {"RANDOM_NORMAL", 2}};
constexpr Enumerator kScatterMode[] = {{"ELEMENT", 0}, {"ND", 1}};
constexpr Enumerator kBoundingBoxFormat[] = {{"CORNER_PAIRS", 0}, {"CENTER_SIZES", 1}};
constexpr Enumerator kCumulativeOperation[] = {{"SUM", 0}};
constexpr Enumerator kKVCacheMode[] = {{"LINEAR", 0}};
constexpr Enumerator kMoEActType[] = {{"NONE", 0}, {"SILU", 1}};
constexpr Enumerator kAttentionNormalizationOp[] = {{"NONE", 0}, {"SOFTMAX", 1}};
constexpr Enumerator kAttentionIOForm[] = {{"PADDED_BHND", 0}, {"PACKED_NHD", 1}};
constexpr Enumerator kCausalMaskKind[] = {{"NONE", 0}, {"UPPER_LEFT", 1}, {"LOWER_RIGHT", 2}};

// As the Python module names them.
constexpr Enumerator kDataType[] = {
    {"float32", 0}, {"float16", 1},  {"int8", 2},  {"int32", 3}, {"bool", 4},           {"uint8", 5},
    {"fp8", 6},     {"bfloat16", 7}, {"int64", 8}, {"int4", 9},  {"fp4", 10, kSame, 8},
};

struct Enumeration {
  std::string_view name;
  std::span<const Enumerator> enumerators;
};

constexpr Enumeration kEnumerations[] = {
    {"BuilderFlag", kBuilderFlag},
    {"TacticSource", kTacticSource},
    {"PreviewFeature", kPreviewFeature},
    {"HardwareCompatibilityLevel", kHardwareCompatibilityLevel},
    {"QuantizationFlag", kQuantizationFlag},
    {"ProfilingVerbosity", kProfilingVerbosity},
    {"RuntimePlatform", kRuntimePlatform},
    {"TilingOptimizationLevel", kTilingOptimizationLevel},
    {"MemoryPoolType", kMemoryPoolType},
    {"OnnxParserFlag", kOnnxParserFlag},
    {"LayerType", kLayerType},
    {"TensorFormat", kTensorFormat},
    {"EngineCapability", kEngineCapability},
    {"ExecutionContextAllocationStrategy", kExecutionContextAllocationStrategy},
    {"ActivationType", kActivationType},
    {"PaddingMode", kPaddingMode},
    {"PoolingType", kPoolingType},
    {"ScaleMode", kScaleMode},
    {"ElementWiseOperation", kElementWiseOperation},
    {"GatherMode", kGatherMode},
    {"UnaryOperation", kUnaryOperation},
    {"ReduceOperation", kReduceOperation},
    {"SampleMode", kSampleMode},
    {"TopKOperation", kTopKOperation},
    {"MatrixOperation", kMatrixOperation},
    {"InterpolationMode", kInterpolationMode},
    {"ResizeCoordinateTransformation", kResizeCoordinateTransformation},
    {"ResizeSelector", kResizeSelector},
    {"ResizeRoundMode", kResizeRoundMode},
    {"LoopOutput", kLoopOutput},
    {"TripLimit", kTripLimit},
    {"FillOperation", kFillOperation},
    {"ScatterMode", kScatterMode},
    {"BoundingBoxFormat", kBoundingBoxFormat},
    {"CumulativeOperation", kCumulativeOperation},
    {"KVCacheMode", kKVCacheMode},
    {"MoEActType", kMoEActType},
    {"AttentionNormalizationOp", kAttentionNormalizationOp},
    {"AttentionIOForm", kAttentionIOForm},
    {"CausalMaskKind", kCausalMaskKind},
    {"DataType", kDataType},
};

std::span<const Enumerator> enumerators_of(std::string_view enumeration) {
  const auto* const known = std::ranges::find(kEnumerations, enumeration, &Enumeration::name);
  assert(known != std::end(kEnumerations));
  return known->enumerators;
}

bool is_removed(const Enumerator& enumerator, Version version) {
  return version.major >= 11 && enumerator.in_11 == kRemoved;
}

bool is_too_new(const Enumerator& enumerator, Version version) {
  return version < Version{10, enumerator.since};
}

int number_of(const Enumerator& enumerator, Version version) {
  return version.major < 11 || enumerator.in_11 == kSame ? enumerator.number : enumerator.in_11;
}

}  // namespace

base::Status check_enumerator(std::string_view enumeration, const std::string& name, std::string_view option) {
  const std::vector<std::string> names = enumerator_names(enumeration);
  if (std::ranges::find(names, name) != names.end()) return {};
  return base::fail(base::ErrorKind::invalid_input, fmt::format("TensorRT's {} has no '{}'", enumeration, name),
                    std::string(option), base::did_you_mean(names, name));
}

base::Expected<int> find_enumerator(std::string_view enumeration, const std::string& name, std::string_view option,
                                    Version version) {
  ASSAY_TRY(check_enumerator(enumeration, name, option));
  const auto enumerators = enumerators_of(enumeration);
  const auto found = std::ranges::find(enumerators, name, &Enumerator::name);
  if (is_removed(*found, version)) {
    return base::fail(base::ErrorKind::unsupported,
                      fmt::format("TensorRT 11 has removed '{}' from {}", name, enumeration), std::string(option),
                      "Leave it out, or use TensorRT 10");
  }
  if (is_too_new(*found, version)) {
    return base::fail(base::ErrorKind::unsupported,
                      fmt::format("'{}' of {} needs TensorRT 10.{} or later, and this is {}", name, enumeration,
                                  found->since, version.text()),
                      std::string(option), "Leave it out, or use a later version of TensorRT");
  }
  return number_of(*found, version);
}

std::vector<std::string> enumerator_names(std::string_view enumeration) {
  std::vector<std::string> names;
  for (const Enumerator& enumerator : enumerators_of(enumeration)) names.emplace_back(enumerator.name);
  return names;
}

std::vector<int> enumerators_in(std::string_view enumeration, Version version) {
  std::vector<int> numbers;
  for (const Enumerator& enumerator : enumerators_of(enumeration)) {
    if (is_removed(enumerator, version) || is_too_new(enumerator, version)) continue;
    const int number = number_of(enumerator, version);
    if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
  }
  return numbers;
}

std::string enumerator_name(std::string_view enumeration, int number) {
  const auto enumerators = enumerators_of(enumeration);
  assert(std::ranges::all_of(enumerators, [](const Enumerator& each) { return each.in_11 == kSame; }));
  const auto found = std::ranges::find(enumerators, number, &Enumerator::number);
  return found == enumerators.end() ? std::to_string(number) : std::string(found->name);
}

}  // namespace assay::tensorrt

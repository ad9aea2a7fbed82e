// The steps of a build, in the order in which TensorRT reports what is wrong.
#include <algorithm>
#include <optional>
#include <utility>

#include "builder.h"
#include "compute.h"
#include "dims.h"
#include "driver.h"
#include "formats.h"
#include "known.h"
#include "tactics.h"
#include "timing_cache.h"

namespace fake_tensorrt {
namespace {

using nvinfer1::BuilderFlag;
using nvinfer1::DataType;

#if NV_TENSORRT_MAJOR < 11
bool is_whole(DataType type) {
  return type == DataType::kINT32 || type == DataType::kINT64 || type == DataType::kBOOL || type == DataType::kUINT8;
}

// Which precisions TensorRT takes for a layer isn't known in detail. NVIDIA's trtexec gives these layers none.
bool computes_floats(const Graph& graph, const GraphLayer& layer) {
  const std::vector<bool> are_shapes = shape_tensors(graph);
  if (layer.type == nvinfer1::LayerType::kSHAPE) return false;
  if (!layer.inputs.empty() && are_shapes[layer.inputs[0]]) return false;
  const bool reads_whole = layer.inputs.empty() || is_whole(graph.tensors[layer.inputs[0]].type);
  return !reads_whole || !is_whole(graph.tensors[layer.outputs.at(0)].type);
}
#endif

// Each of these functions returns what is wrong, or an empty string.

std::string check_network(Network& network, [[maybe_unused]] const Config& config) {
  const Graph& graph = network.graph();
  if (graph.outputs.empty()) return "Error Code 4: API Usage Error (the network has no outputs)";
#if NV_TENSORRT_MAJOR < 11
  for (const BuilderFlag flag : {BuilderFlag::kFP16, BuilderFlag::kBF16, BuilderFlag::kINT8, BuilderFlag::kFP8}) {
    if (network.is_strongly_typed() && config.has(flag)) {
      return "Error Code 3: API Usage Error (" + name_of(flag) + " can't be set for a strongly typed network)";
    }
  }
  if (config.has(BuilderFlag::kWEIGHT_STREAMING) && !network.is_strongly_typed()) {
    return "Error Code 4: API Usage Error (kWEIGHT_STREAMING is only supported for kSTRONGLY_TYPED networks.)";
  }
  for (const GraphLayer& layer : graph.layers) {
    if (!layer.precision || computes_floats(graph, layer)) continue;
    return "Error Code 4: Internal Error (the precision of " + layer.name + " has been set, and it computes no floats)";
  }
  for (const GraphLayer& layer : graph.layers) {
    if (layer.precision != DataType::kHALF || config.has(BuilderFlag::kFP16)) continue;
    return "Error Code 4: Internal Error (fp16 precision has been set for at least one layer or layer output, but fp16 "
           "is not configured in the builder.)";
  }
#endif
  for (const int output : graph.outputs) {
    if (!is_interior(graph, output)) continue;
    return "Error Code 4: Internal Error (" + graph.tensors[output].name +
           " is inside a loop or a conditional, and marked as an output)";
  }
  const std::vector<bool> are_shapes = shape_tensors(graph);
  for (const int output : graph.outputs) {
    if (!are_shapes[output] || graph.tensors[output].type != DataType::kBOOL) continue;
    return "Error Code 2: Internal Error ([ShapeHostToDeviceCopy 0] requires bool or uint8 I/O but node can not be "
           "handled by Myelin. Operation is not supported.)";
  }
  for (const auto* border : {&graph.inputs, &graph.outputs}) {
    for (const int index : *border) {
      const GraphTensor& tensor = graph.tensors[index];
      if (are_shapes[index] && chosen_format(tensor) != nvinfer1::TensorFormat::kLINEAR) {
        return "Error Code 3: API Usage Error (the shape tensor " + tensor.name + " has a format that isn't linear)";
      }
      if (!can_convert(tensor.type, tensor.io_type)) {
        return "Error Code 4: Internal Error (" + tensor.name + " can't have type " + name_of(tensor.io_type) + ")";
      }
    }
  }
  return "";
}

std::string check_profile(const Plan& plan, int profile) {
  const std::vector<bool> are_shapes = shape_tensors(plan.graph);
  for (int selector = 0; selector < 3; ++selector) {
    Known known{std::vector<nvinfer1::Dims>(are_shapes.size()), {}};
    known.numbers.resize(are_shapes.size());
    for (const int input : plan.graph.inputs) {
      const GraphTensor& tensor = plan.graph.tensors[input];
      const auto shape = profile_shape(plan, input, profile, selector);
      const std::string where = tensor.name + " in profile " + std::to_string(profile);
      if (!shape) return "Error Code 4: API Usage Error (no dimensions for the dynamic input " + where + ")";
      if (!matches(tensor.dims, *shape)) {
        return "Error Code 4: API Usage Error (" + to_text(*shape) + " doesn't fit the dimensions " +
               to_text(tensor.dims) + " of " + where + ")";
      }
      known.shapes[input] = *shape;
      const auto* values = profile_values(plan, input, profile, selector);
      if (are_shapes[input] != (values != nullptr)) {
        return "Error Code 4: API Usage Error (" + where +
               (are_shapes[input] ? " is a shape tensor, and has no values)"
                                  : " has values, and isn't a shape tensor)");
      }
      if (values != nullptr && static_cast<std::int64_t>(values->size()) != volume(*shape)) {
        return "Error Code 4: API Usage Error (the number of values differs from that of " + where + ")";
      }
      if (values != nullptr) known.numbers[input] = std::vector<double>(values->begin(), values->end());
    }
    // With shape tensors, only the best values have to give a valid network.
    constexpr int kOptimum = 1;
    const bool has_values = !plan.profiles[profile].values.empty();
    if ((selector == kOptimum || !has_values) && !infer_shapes(plan.graph, known)) {
      return "Error Code 4: Shape Error (kOPT values for profile " + std::to_string(profile) +
             " violate shape constraints: the shapes don't fit together)";
    }
  }
  return "";
}

std::string check_profiles(const Plan& plan) {
  bool is_dynamic = false;
  const std::vector<bool> are_shapes = shape_tensors(plan.graph);
  for (const int input : plan.graph.inputs)
    is_dynamic |= !is_known(plan.graph.tensors[input].dims) || are_shapes[input];
  // Whether TensorRT asks for it isn't known. NVIDIA's tools add one.
  for (const int output : plan.graph.outputs) is_dynamic |= are_shapes[output];
  if (is_dynamic && plan.profiles.empty()) {
    return "Error Code 4: API Usage Error (the network has dynamic or shape inputs or outputs, but no optimization "
           "profile)";
  }
  for (int profile = 0; profile < static_cast<int>(plan.profiles.size()); ++profile) {
    if (std::string error = check_profile(plan, profile); !error.empty()) return error;
  }
  return "";
}

std::string use_timing_cache(const Graph& graph, const Config& config) {
  TimingCache* cache = config.timing_cache();
  if (cache == nullptr || config.has(BuilderFlag::kDISABLE_TIMING_CACHE)) return "";
  for (const GraphLayer& layer : graph.layers) {
    const std::string key = TimingCache::key(graph, layer);
    if (config.has(BuilderFlag::kERROR_ON_TIMING_CACHE_MISS) && !cache->contains(key)) {
      return "Error Code 4: Internal Error (the timing cache has no entry for " + layer.name + ")";
    }
    cache->add(key);
  }
  return "";
}

#if NV_TENSORRT_MAJOR < 11  // TensorRT 11 neither calibrates nor chooses the precision of layers
// Returns the shape in which the calibrator gives an input: that of the calibration profile, if the input has open
// sizes.
std::optional<nvinfer1::Dims> calibration_shape(const GraphTensor& input, Config& config) {
  if (is_known(input.dims)) return input.dims;
  const nvinfer1::IOptimizationProfile* profile = config.getCalibrationProfile();
  if (profile == nullptr) return std::nullopt;
  const nvinfer1::Dims dims = profile->getDimensions(input.name.c_str(), nvinfer1::OptProfileSelector::kOPT);
  return matches(input.dims, dims) && is_known(dims) ? std::optional(dims) : std::nullopt;
}

// Widens the range to the elements at `address`.
void widen(std::pair<float, float>& range, const void* address, std::int64_t count) {
  const auto* elements = static_cast<const float*>(address);
  for (std::int64_t i = 0; i < count; ++i) {
    range = {std::min(range.first, elements[i]), std::max(range.second, elements[i])};
  }
}

// Calls the calibrator as TensorRT does: asks for its cache, or for all batches. The cache has the ranges of inputs of
// float32.
std::string calibrate(const Graph& graph, Config& config) {
  nvinfer1::IInt8Calibrator* calibrator = config.getInt8Calibrator();
  if (calibrator == nullptr || !config.has(BuilderFlag::kINT8)) return "";
  std::size_t length = 0;
  if (calibrator->readCalibrationCache(length) != nullptr && length > 0) return "";
  std::vector<const char*> names;
  for (const int input : graph.inputs) names.push_back(graph.tensors[input].name.c_str());
  std::vector<void*> bindings(names.size());
  std::vector<std::int64_t> counts;
  for (const int input : graph.inputs) {
    const auto shape = calibration_shape(graph.tensors[input], config);
    if (!shape) return "Error Code 1: Calibration (no calibration profile for " + graph.tensors[input].name + ")";
    counts.push_back(volume(*shape));
  }
  std::vector<std::pair<float, float>> ranges(names.size());
  int batches = 0;
  const auto has_batch = [&] {
    bool has_any = false;
    in_another_thread(
        [&] { has_any = calibrator->getBatch(bindings.data(), names.data(), static_cast<int32_t>(names.size())); });
    return has_any;
  };
  while (has_batch()) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (bindings[i] == nullptr) return std::string("Error Code 1: Calibration (no data for ") + names[i] + ")";
      if (graph.tensors[graph.inputs[i]].type == DataType::kFLOAT) widen(ranges[i], bindings[i], counts[i]);
    }
    ++batches;
  }
  (void)has_batch();  // TensorRT doesn't promise to ask only once
  if (batches == 0) return "Error Code 1: Calibration (the calibrator has no batches)";
  std::string cache = "fake calibration of " + std::to_string(batches) + " batches\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    cache += std::string(names[i]) + ": " + std::to_string(ranges[i].first) + " to " +
             std::to_string(ranges[i].second) + "\n";
  }
  calibrator->writeCalibrationCache(cache.data(), cache.size());
  return "";
}

// Lets each layer of float32 run in the precision that it was given, if that counts, or else in the lowest one allowed.
void choose_precisions(Graph& graph, const Config& config) {
  const bool is_constrained =
      config.has(BuilderFlag::kOBEY_PRECISION_CONSTRAINTS) || config.has(BuilderFlag::kPREFER_PRECISION_CONSTRAINTS);
  for (GraphLayer& layer : graph.layers) {
    const bool is_float = graph.tensors[layer.outputs.at(0)].type == nvinfer1::DataType::kFLOAT;
    if ((layer.precision && is_constrained) || !is_float || layer.type == nvinfer1::LayerType::kCONSTANT) continue;
    if (config.has(BuilderFlag::kBF16)) layer.precision = nvinfer1::DataType::kBF16;
    if (config.has(BuilderFlag::kFP16)) layer.precision = nvinfer1::DataType::kHALF;
  }
}
#endif

std::int64_t weights_size(const Graph& graph) {
  std::size_t bytes = 0;
  for (const GraphLayer& layer : graph.layers) bytes += layer.weights.size();
  return static_cast<std::int64_t>(bytes);
}

// Leaves out the weights, as a weight-stripped engine does.
void strip(Plan& plan) {
  plan.stripped_weights = weights_size(plan.graph);
  for (GraphLayer& layer : plan.graph.layers) std::ranges::fill(layer.weights, std::uint8_t{0});
}

}  // namespace

Built build(Network& network, Config& config) {
  Plan plan;
  plan.graph = network.graph();
  plan.profiles = config.profiles();
  std::string error = check_network(network, config);
  if (error.empty()) error = check_profiles(plan);
#if NV_TENSORRT_MAJOR < 11
  if (error.empty()) error = calibrate(plan.graph, config);
#endif
  if (error.empty()) error = use_timing_cache(plan.graph, config);
  if (!error.empty()) return {"", std::move(error)};
#if NV_TENSORRT_MAJOR < 11
  choose_precisions(plan.graph, config);
#endif
  if (plan.profiles.empty()) plan.profiles.emplace_back();  // every engine has one
  if (error = choose_tactics(plan, config); !error.empty()) return {"", std::move(error)};
  plan.settings = config.settings();
  plan.verbosity = config.getProfilingVerbosity();
  plan.is_strongly_typed = network.is_strongly_typed();
  if (config.has(BuilderFlag::kWEIGHT_STREAMING)) plan.streamable_weights = weights_size(plan.graph);
  plan.is_refittable = config.has(BuilderFlag::kREFIT) || config.has(BuilderFlag::kSTRIP_PLAN);
  if (config.has(BuilderFlag::kSTRIP_PLAN)) strip(plan);
  return {serialize(plan), ""};
}

}  // namespace fake_tensorrt

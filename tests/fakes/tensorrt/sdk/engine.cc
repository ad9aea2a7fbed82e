#include "engine.h"

#include "context.h"
#include "dims.h"
#include "driver.h"
#include "formats.h"
#include "host_memory.h"
#include "inspector.h"
#include "known.h"
#include "layer_behaviour.h"
#include "misbehave.h"

namespace fake_tensorrt {

using nvinfer1::DataType;
using nvinfer1::Dims;

Engine::Engine(Plan plan, nvinfer1::ILogger& logger, std::shared_ptr<int> runtime)
    : plan_(std::move(plan)),
      runtime_(std::move(runtime)),
      logger_(logger),
      io_(plan_.graph.inputs),
      budget_(plan_.streamable_weights),
      are_shapes_(shape_tensors(plan_.graph)) {
  io_.insert(io_.end(), plan_.graph.outputs.begin(), plan_.graph.outputs.end());
}

std::optional<int> Engine::find_io(const char* name) const {
  for (const int index : io_) {
    if (plan_.graph.tensors[index].name == name) return index;
  }
  log_error(logger_,
            std::string("Error Code 3: API Usage Error (the engine has no input or output named ") + name + ")");
  return std::nullopt;
}

nvinfer1::IHostMemory* Engine::serialize() const noexcept {
  return make_host_memory(fake_tensorrt::serialize(plan_));
}

nvinfer1::IExecutionContext* Engine::createExecutionContext(
    nvinfer1::ExecutionContextAllocationStrategy strategy) noexcept {
  if (strategy != nvinfer1::ExecutionContextAllocationStrategy::kUSER_MANAGED && !has_memory()) {
    log_error(logger_,
              "ICudaEngine::createExecutionContext: Error Code 2: OutOfMemory (the activations have no memory)");
    return nullptr;
  }
  if (misbehaves("no_context_if_stripped") && plan_.stripped_weights > 0 && !is_refitted_) {
    log_error(logger_,
              "ICudaEngine::createExecutionContext: Error Code 3: API Usage Error (the engine has no weights)");
    return nullptr;
  }
  log_info(logger_, "The fake TensorRT creates a context, next to " + std::to_string(HostMemory::count) + " blobs.");
  stop_clock();
  return new Handle<nvinfer1::IExecutionContext, Context>(*this, strategy, users_);
}

nvinfer1::IEngineInspector* Engine::createEngineInspector() const noexcept {
  return new Handle<nvinfer1::IEngineInspector, Inspector>(plan_);
}

char const* Engine::getIOTensorName(int32_t index) const noexcept {
  return index >= 0 && index < getNbIOTensors() ? plan_.graph.tensors[io_[index]].name.c_str() : nullptr;
}

nvinfer1::TensorIOMode Engine::getTensorIOMode(char const* name) const noexcept {
  const auto index = find_io(name);
  if (!index) return nvinfer1::TensorIOMode::kNONE;
  return is_input(plan_.graph, *index) ? nvinfer1::TensorIOMode::kINPUT : nvinfer1::TensorIOMode::kOUTPUT;
}

DataType Engine::getTensorDataType(char const* name) const noexcept {
  const auto index = find_io(name);
  return index ? plan_.graph.tensors[*index].io_type : DataType::kFLOAT;
}

Dims Engine::getTensorShape(char const* name) const noexcept {
  const auto index = find_io(name);
  return index ? plan_.graph.tensors[*index].dims : no_dims();
}

bool Engine::isShapeInferenceIO(char const* name) const noexcept {
  const auto index = find_io(name);
  return index && are_shapes_[*index];
}
nvinfer1::TensorLocation Engine::getTensorLocation(char const* name) const noexcept {
  return isShapeInferenceIO(name) ? nvinfer1::TensorLocation::kHOST : nvinfer1::TensorLocation::kDEVICE;
}
nvinfer1::TensorFormat Engine::getTensorFormat(char const* name) const noexcept {
  const auto index = find_io(name);
  return index ? chosen_format(plan_.graph.tensors[*index]) : nvinfer1::TensorFormat::kLINEAR;
}

#if NV_TENSORRT_MAJOR < 11
int32_t const* Engine::getProfileTensorValues(char const* name, int32_t profile,
                                              nvinfer1::OptProfileSelector select) const noexcept {
  const auto index = find_io(name);
  const auto* values = index ? profile_values(plan_, *index, profile, static_cast<int>(select)) : nullptr;
  if (values == nullptr || plan_.profiles[profile].has_wide_values) return nullptr;
  return narrow_.emplace_back(values->begin(), values->end()).data();
}
#endif
#ifdef FAKE_HAS_VCudaEngine_getProfileTensorValuesV2
int64_t const* Engine::getProfileTensorValuesV2(char const* name, int32_t profile,
                                                nvinfer1::OptProfileSelector select) const noexcept {
  crash_if_too_old("getProfileTensorValuesV2");
  const auto index = find_io(name);
  const auto* values = index ? profile_values(plan_, *index, profile, static_cast<int>(select)) : nullptr;
  return values == nullptr || !plan_.profiles[profile].has_wide_values ? nullptr : values->data();
}
#endif
#ifdef FAKE_HAS_VCudaEngine_getAliasedInputTensor
char const* Engine::getAliasedInputTensor(char const* name) const noexcept {
  crash_if_too_old("getAliasedInputTensor");
  const auto index = find_io(name);
  const auto input = index ? aliased_input(plan_.graph, *index) : std::nullopt;
  return input ? plan_.graph.tensors[*input].name.c_str() : nullptr;
}
#endif

bool Engine::isDebugTensor(char const* name) const noexcept {
  const auto index = find_tensor(plan_.graph, name);
  return index && plan_.graph.tensors[*index].is_debug;
}

Dims Engine::getProfileShape(char const* name, int32_t profile, nvinfer1::OptProfileSelector select) const noexcept {
  const auto index = find_io(name);
  // Real ones may tell the shape of an input that contains a shape, but nothing says so.
  if (!index || isShapeInferenceIO(name)) return no_dims();
  return profile_shape(plan_, *index, profile, static_cast<int>(select)).value_or(no_dims());
}

void Engine::refit(const std::map<std::string, std::vector<std::uint8_t>>& weights) {
  is_refitted_ = true;
  for (GraphLayer& layer : plan_.graph.layers) {
    if (const auto found = weights.find(layer.name); found != weights.end()) layer.weights = found->second;
  }
}

#ifdef FAKE_HAS_VCudaEngine_getEngineStat
// Like TensorRT, it counts what the plan lacks, also after a refit.
int64_t Engine::getEngineStat(nvinfer1::EngineStat stat) const noexcept {
  crash_if_too_old("getEngineStat");
  std::int64_t bytes = 0;
  for (const GraphLayer& layer : plan_.graph.layers) bytes += static_cast<std::int64_t>(layer.weights.size());
  if (stat == nvinfer1::EngineStat::kTOTAL_WEIGHTS_SIZE) return bytes;
  if (plan_.stripped_weights > 0) return plan_.stripped_weights;
  log_error(logger_, "ICudaEngine::getEngineStat: Error Code 3: API Usage Error (the engine has its weights)");
  return -1;
}
#endif

std::size_t Engine::memory_of_profile(int32_t profile) const {
  constexpr int kMost = static_cast<int>(nvinfer1::OptProfileSelector::kMAX);
  const Graph& graph = plan_.graph;
  Known known;
  for (const GraphTensor& tensor : graph.tensors) known.shapes.push_back(tensor.dims);
  known.numbers.resize(graph.tensors.size());
  for (const int input : graph.inputs) {
    known.shapes[input] = profile_shape(plan_, input, profile, kMost).value_or(no_dims());
    const auto* values = profile_values(plan_, input, profile, kMost);
    if (values != nullptr) known.numbers[input].emplace(values->begin(), values->end());
  }
  return infer_shapes(graph, known) ? activation_bytes(graph, known.shapes) : 0;
}

bool Engine::set_budget(std::int64_t budget) {
  if (plan_.streamable_weights == 0 || budget < 0 || users_.use_count() > 1) {
    log_error(logger_,
              "ICudaEngine::setWeightStreamingBudget: Error Code 3: API Usage Error (the engine streams no weights, " +
                  std::to_string(budget) + " is negative, or there are contexts)");
    return false;
  }
  budget_ = budget;
  return true;
}

}  // namespace fake_tensorrt

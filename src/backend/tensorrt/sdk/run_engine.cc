// All copies and the engine's work are queued in one stream, so they happen in their order; the host waits twice: for
// the engine, whose time is measured without copies, and for the outputs.
#include "backend/tensorrt/sdk/run_engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "backend/tensorrt/sdk/choose_profile.h"
#include "backend/tensorrt/sdk/copy_tensor.h"
#include "backend/tensorrt/sdk/dimensions.h"
#include "backend/tensorrt/sdk/headers.h"
#include "base/seconds.h"

namespace assay::backend {
namespace {

using nvinfer1::TensorIOMode;
using nvinfer1::TensorLocation;
using worker::Phase;

// Returns the input in whose memory this output has to be, such as a cache that is updated, or null.
const char* aliased_input([[maybe_unused]] const OpenedEngine& opened, [[maybe_unused]] const char* output) {
#if ASSAY_TENSORRT_SINCE_10(15)
  if (opened.is_since({10, 15})) return opened.engine->getAliasedInputTensor(output);
#endif
  return nullptr;
}

// Returns the shape of a row-major tensor with the sizes that TensorRT didn't tell, as far as they follow from the
// strides. TensorRT 10.16.1 may know the shape of an output and not tell it, neither to the allocator nor here:
// https://github.com/NVIDIA/TensorRT/issues/4744
tensor::Shape completed(tensor::Shape shape, const nvinfer1::Dims& strides) {
  const std::vector<std::int64_t> steps = to_shape(strides);
  if (steps.size() != shape.size()) return shape;
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    if (shape[axis] < 0 && steps[axis] > 0) shape[axis] = steps[axis - 1] / steps[axis];
  }
  return shape;
}

// Returns the memory that activations need for the largest inputs of a profile, or 0 if TensorRT doesn't tell.
std::size_t memory_of_profile(const OpenedEngine& opened, int profile) {
#if ASSAY_TENSORRT_SINCE_10(1)
  if (opened.is_since({10, 1})) {
    return static_cast<std::size_t>(std::max<std::int64_t>(opened.engine->getDeviceMemorySizeForProfileV2(profile), 0));
  }
#endif
#if ASSAY_TENSORRT_UNTIL_10
  return opened.engine->getDeviceMemorySizeForProfile(profile);
#else
  return 0;
#endif
}

// Returns the distance between two rows of a tensor with these strides, which count vectors, or 0 if it isn't known.
std::int64_t row_stride(const nvinfer1::Dims& strides) {
  return strides.nbDims < 2 ? 0 : std::max<std::int64_t>(strides.d[strides.nbDims - 2], 0);
}

}  // namespace

EngineRun::~EngineRun() {
  if (stream_ != nullptr) sdk_.driver.api().cuStreamDestroy_v2(stream_);
}

Answer<std::unique_ptr<EngineRun>> EngineRun::prepare(const tensorrt::EnginePlan& plan, bool shows_tensors,
                                                      const OpenedEngine& opened, TensorRtSdk& sdk) {
  std::unique_ptr<EngineRun> run(new EngineRun(plan, opened, sdk));
  constexpr unsigned kNonBlocking = 1;  // CU_STREAM_NON_BLOCKING
  ASSAY_TRY(
      sdk.driver.check(sdk.driver.api().cuStreamCreate(&run->stream_, kNonBlocking), Phase::load, "make a stream"));
  for (const worker::Port& port : run->ports(TensorIOMode::kINPUT)) {
    if (opened.engine->getTensorLocation(port.name.c_str()) == TensorLocation::kHOST) {
      run->host_inputs_[port.name];
    } else {
      run->inputs_.try_emplace(port.name, sdk.driver);
    }
  }
  ASSAY_TRY(run->prepare_outputs());
  const int profiles = opened.engine->getNbOptimizationProfiles();
  if (plan.profile && *plan.profile >= profiles) {
    return refuse(Phase::load, 0,
                  fmt::format("--optimization-profile: there is no profile {}; the engine has {}, counted from 0",
                              *plan.profile, profiles));
  }
  ASSAY_TRY(run->listen(shows_tensors));
  return run;
}

Answer<void> EngineRun::prepare_outputs() {
  for (const worker::Port& port : ports(TensorIOMode::kOUTPUT)) {
    const char* name = port.name.c_str();
    if (opened_.engine->getTensorLocation(name) == TensorLocation::kHOST) {
      host_outputs_[port.name];
      continue;
    }
    if (const char* input = aliased_input(opened_, name)) {
      aliases_[port.name] = input;
      continue;
    }
    OutputBuffer& output = outputs_.try_emplace(port.name, sdk_.driver).first->second;
    sdk_.logger.clear();
    if (opened_.context->setOutputAllocator(name, &output)) continue;
    return tl::unexpected(
        sdk_.logger.refused(Phase::load, fmt::format("TensorRT doesn't accept memory for '{}'", name)));
  }
  return {};
}

// Asks for the values of all tensors that were marked for debugging when the engine was built. An engine that was built
// before may have none, which TensorRT may call an error; so only failures to show tensors that the user asks for
// count.
Answer<void> EngineRun::listen(bool shows_tensors) {
  nvinfer1::IExecutionContext& context = *opened_.context;
  const bool has_to_listen = shows_tensors || plan_.shows_unfused;
  const bool has_named = shows_tensors || !plan_.shows_unfused;  // or may have them
  if (plan_.shows_unfused) ASSAY_TRY(opened_.needs({10, 12}, "--mark-unfused-tensors-as-debug-tensors"));
  sdk_.logger.clear();
  std::optional<TensorRtLogger::Silence> silence;
  if (!has_to_listen) silence.emplace(sdk_.logger);
  bool listens = context.setDebugListener(&listener_) && (!has_named || context.setAllTensorsDebugState(true));
#if ASSAY_TENSORRT_SINCE_10(12)
  if (plan_.shows_unfused) listens = listens && context.setUnfusedTensorsDebugState(true);
#endif
  if (listens || !has_to_listen) return {};
  return tl::unexpected(sdk_.logger.refused(Phase::load, "TensorRT can't show tensors that are marked for debugging"));
}

std::vector<worker::Port> EngineRun::ports(TensorIOMode mode) const {
  const nvinfer1::ICudaEngine& engine = *opened_.engine;
  std::vector<worker::Port> ports;
  for (int i = 0; i < engine.getNbIOTensors(); ++i) {
    const char* name = engine.getIOTensorName(i);
    if (engine.getTensorIOMode(name) != mode) continue;
    ports.push_back({.name = name,
                     .type = to_element_type(engine.getTensorDataType(name)),
                     .shape = to_shape(engine.getTensorShape(name))});
  }
  return ports;
}

Answer<void> EngineRun::choose_profile(const tensor::NamedTensors& feeds) {
  nvinfer1::IExecutionContext& context = *opened_.context;
  const int profiles = opened_.engine->getNbOptimizationProfiles();
  std::optional<int> profile = plan_.profile;
  if (!profile && profiles > 1) {
    profile = backend::choose_profile(opened_, feeds);
    if (!profile) {
      return refuse(Phase::run, 0,
                    fmt::format("none of the engine's {} profiles takes inputs of these shapes. They take: {}",
                                profiles, describe_profiles(opened_)));
    }
  }
  const int chosen = profile.value_or(0);
  if (profiles == 0 || profile_ == chosen) return {};
  sdk_.logger.clear();
  if (!context.setOptimizationProfileAsync(chosen, stream_)) {
    return tl::unexpected(sdk_.logger.refused(Phase::run, fmt::format("TensorRT can't use profile {}", chosen)));
  }
  profile_ = chosen;
  return wait("change the profile");
}

worker::Refused EngineRun::with_profiles(worker::Refused refused, const tensor::NamedTensors& feeds) const {
  if (!profile_ || backend::choose_profile(opened_, feeds) == profile_) return refused;
  refused.failed.message += fmt::format(". The run uses profile {}, and the engine's profiles take: {}", *profile_,
                                        describe_profiles(opened_));
  return refused;
}

Answer<void> EngineRun::set_input(const std::string& name, const tensor::Tensor& tensor) {
  nvinfer1::IExecutionContext& context = *opened_.context;
  sdk_.logger.clear();
  const auto dims = to_dims(tensor.shape());
  if (!dims || !context.setInputShape(name.c_str(), *dims)) {
    return tl::unexpected(
        sdk_.logger.refused(Phase::run, fmt::format("TensorRT doesn't take [{}] as the shape of the input '{}'",
                                                    fmt::join(tensor.shape(), ","), name)));
  }
  if (const auto host = host_inputs_.find(name); host != host_inputs_.end()) {
    const auto bytes = tensor.bytes();
    host->second.reserve(bytes.size());
    std::ranges::copy(bytes, host->second.pointer());
    return set_address(name, host->second.pointer());
  }
  return copy_to_gpu(name, tensor);
}

Answer<void> EngineRun::set_inputs(const tensor::NamedTensors& feeds) {
  for (const auto& [name, memory] : inputs_) ASSAY_TRY(set_input(name, *feeds.find(name)));
  for (const auto& [name, memory] : host_inputs_) ASSAY_TRY(set_input(name, *feeds.find(name)));
  return {};
}

Answer<void> EngineRun::set_address(const std::string& name, void* address) {
  sdk_.logger.clear();
  if (opened_.context->setTensorAddress(name.c_str(), address)) return {};
  return tl::unexpected(sdk_.logger.refused(Phase::run, fmt::format("TensorRT doesn't accept memory for '{}'", name)));
}

// Returns the order of the elements in the profile that was chosen, for the shapes of this run.
Answer<TensorLayout> EngineRun::layout(const std::string& name) const {
  const int profile = opened_.context->getOptimizationProfile();
  auto layout = layout_of(opened_.engine->getTensorFormat(name.c_str(), profile));
  if (layout && layout->is_vector_major && layout->per_vector > 1) {
    layout->row_vectors = row_stride(opened_.context->getTensorStrides(name.c_str()));
  }
  if (layout) return *layout;
  return refuse(Phase::run, 0,
                fmt::format("the tensor '{}' has a format that Assay doesn't know: {}. Build the engine with "
                            "--tensor-formats '{}:[linear]'",
                            name, opened_.engine->getTensorFormatDesc(name.c_str(), profile), name));
}

Answer<void> EngineRun::copy_to_gpu(const std::string& name, const tensor::Tensor& tensor) {
  ASSAY_ASSIGN(const TensorLayout stored_as, layout(name));
  std::span<const std::byte> bytes = tensor.bytes();
  std::vector<std::byte> stored;
  if (!stored_as.is_row_major() && tensor.size() > 0) {
    const std::size_t size = bytes.size() / tensor.size();
    if (!stored_elements(stored_as, tensor.shape(), size)) {
      return refuse(
          Phase::run, 0,
          fmt::format("the input '{}' is [{}], which its format can't store: {}", name, fmt::join(tensor.shape(), ","),
                      opened_.engine->getTensorFormatDesc(name.c_str(), opened_.context->getOptimizationProfile())));
    }
    stored = to_stored(bytes, tensor.shape(), size, stored_as);
    bytes = stored;
  }
  DeviceMemory& memory = inputs_.at(name);
  ASSAY_TRY(memory.reserve(bytes.size()));
  ASSAY_TRY(set_address(name, memory.pointer()));
  if (bytes.empty()) return {};
  const std::string action = fmt::format("copy the input '{}' to the GPU", name);
  ASSAY_TRY(
      sdk_.driver.check(sdk_.driver.api().cuMemcpyHtoDAsync_v2(memory.address(), bytes.data(), bytes.size(), stream_),
                        Phase::run, action));
  return stored.empty() ? Answer<void>() : wait(action);  // `stored` ends here
}

// NVIDIA's tools allocate this memory in the same way.
Answer<void> EngineRun::reserve_activations() {
  using tensorrt::Allocation;
  if (plan_.allocation == Allocation::once) return {};
  sdk_.logger.clear();
  const std::size_t bytes = plan_.allocation == Allocation::for_profile
                                ? memory_of_profile(opened_, opened_.context->getOptimizationProfile())
                                : opened_.context->updateDeviceMemorySizeForShapes();
  if (bytes == 0) ASSAY_TRY(sdk_.logger.check(Phase::run));  // 0 means an error, too
  ASSAY_TRY(activations_.reserve(bytes));
#if ASSAY_TENSORRT_SINCE_10(1)
  // With the older function, TensorRT would allocate memory for streamed weights itself.
  if (opened_.is_since({10, 1})) {
    opened_.context->setDeviceMemoryV2(activations_.pointer(), static_cast<std::int64_t>(activations_.size()));
    return {};
  }
#endif
  opened_.context->setDeviceMemory(activations_.pointer());
  return {};
}

Answer<void> EngineRun::wait(const std::string& action) {
  return sdk_.driver.check(sdk_.driver.api().cuStreamSynchronize(stream_), Phase::run, action);
}

// Memory of the host can't grow during a run, so there is enough for the largest output of these inputs.
Answer<void> EngineRun::set_host_output(const std::string& name) {
  const std::int64_t bytes = opened_.context->getMaxOutputSize(name.c_str());
  if (bytes < 0) return refuse(Phase::run, 0, fmt::format("TensorRT doesn't report the size of the output '{}'", name));
  HostMemory& memory = host_outputs_.at(name);
  memory.reserve(static_cast<std::size_t>(bytes));
  return set_address(name, memory.pointer());
}

Answer<tensor::Tensor> EngineRun::take_output(const std::string& name) {
  const tensor::ElementType type = to_element_type(opened_.engine->getTensorDataType(name.c_str()));
  tensor::Shape shape = to_shape(opened_.context->getTensorShape(name.c_str()));
  if (const auto host = host_outputs_.find(name); host != host_outputs_.end()) {
    return copy_tensor(name, type, std::move(shape), {host->second.pointer(), host->second.size()},
                       TensorLocation::kHOST, stream_, sdk_.driver);
  }
  ASSAY_ASSIGN(const TensorLayout stored_as, layout(name));
  if (const auto alias = aliases_.find(name); alias != aliases_.end()) {
    const DeviceMemory& memory = inputs_.at(alias->second);
    return copy_tensor(name, type, std::move(shape), {memory.pointer(), memory.size()}, TensorLocation::kDEVICE,
                       stream_, sdk_.driver, stored_as);
  }
  const OutputBuffer& output = outputs_.at(name);
  if (output.shape()) shape = *output.shape();
  if (stored_as.is_row_major() && std::ranges::any_of(shape, [](std::int64_t size) { return size < 0; })) {
    shape = completed(std::move(shape), opened_.context->getTensorStrides(name.c_str()));
  }
  return copy_tensor(name, type, std::move(shape), {output.memory().pointer(), output.memory().size()},
                     TensorLocation::kDEVICE, stream_, sdk_.driver, stored_as);
}

Answer<void> EngineRun::take_outputs(const std::vector<std::string>& wanted, worker::InferResult& result) {
  for (const std::string& name : wanted) {
    ASSAY_ASSIGN(tensor::Tensor output, take_output(name));
    result.outputs.set(name, std::move(output));
  }
  for (const auto& [name, tensor] : listener_.tensors()) {
    if (!result.outputs.contains(name)) result.outputs.set(name, tensor);
  }
  return {};
}

Answer<worker::InferResult> EngineRun::infer(const tensor::NamedTensors& feeds,
                                             const std::vector<std::string>& wanted) {
  ASSAY_TRY(choose_profile(feeds));
  if (auto set = set_inputs(feeds); !set) return tl::unexpected(with_profiles(std::move(set.error()), feeds));
  for (const auto& [output, input] : aliases_) ASSAY_TRY(set_address(output, inputs_.at(input).pointer()));
  for (auto& [name, output] : outputs_) output.begin();
  for (const auto& [name, memory] : host_outputs_) ASSAY_TRY(set_host_output(name));
  listener_.begin();
  ASSAY_TRY(reserve_activations());
  ASSAY_TRY(wait("copy the inputs to the GPU"));
  sdk_.logger.clear();
  const auto start = std::chrono::steady_clock::now();
  const bool queued = opened_.context->enqueueV3(stream_);
  const auto ran = wait("run the engine");
  worker::InferResult result;
  result.runtime_s = base::seconds_since(start);
  for (const auto& [name, output] : outputs_) {
    if (output.refused()) return tl::unexpected(*output.refused());
  }
  if (listener_.refused()) return tl::unexpected(*listener_.refused());
  if (!queued) {
    return tl::unexpected(with_profiles(sdk_.logger.refused(Phase::run, "TensorRT can't run the engine"), feeds));
  }
  ASSAY_TRY(ran);
  ASSAY_TRY(take_outputs(wanted, result));
  return result;
}

}  // namespace assay::backend

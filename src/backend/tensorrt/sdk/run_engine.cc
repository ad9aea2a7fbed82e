// All copies and the engine's work are queued in one stream, so they happen in their order; the host waits twice: for
// the engine, whose time is measured without copies, and for the outputs.
#include "backend/tensorrt/sdk/run_engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "backend/tensorrt/sdk/copy_tensor.h"
#include "backend/tensorrt/sdk/dimensions.h"

namespace assay::backend {
namespace {

using nvinfer1::OptProfileSelector;
using nvinfer1::TensorIOMode;
using nvinfer1::TensorLocation;
using worker::Phase;

}  // namespace

Answer<std::unique_ptr<EngineRun>> EngineRun::prepare(const tensorrt::EnginePlan& plan, const OpenedEngine& opened,
                                                      TensorRtSdk& sdk) {
  std::unique_ptr<EngineRun> run(new EngineRun(plan, opened, sdk));
  constexpr unsigned kNonBlocking = 1;  // CU_STREAM_NON_BLOCKING
  ASSAY_TRY(
      sdk.driver.check(sdk.driver.api().cuStreamCreate(&run->stream_, kNonBlocking), Phase::load, "make a stream"));
  for (const worker::Port& port : run->ports(TensorIOMode::kINPUT)) run->inputs_.try_emplace(port.name, sdk.driver);
  ASSAY_TRY(run->prepare_outputs());
  const int profiles = opened.engine->getNbOptimizationProfiles();
  if (plan.profile && *plan.profile >= profiles) {
    return refuse(Phase::load, 0,
                  fmt::format("--optimization-profile: there is no profile {}; the engine has {}, counted from 0",
                              *plan.profile, profiles));
  }
  ASSAY_TRY(run->listen());
  return run;
}

Answer<void> EngineRun::prepare_outputs() {
  for (const worker::Port& port : ports(TensorIOMode::kOUTPUT)) {
    const char* name = port.name.c_str();
    if (opened_.engine->getTensorLocation(name) == TensorLocation::kHOST) {
      host_outputs_[port.name];
      continue;
    }
    OutputBuffer& output = outputs_.try_emplace(port.name, sdk_.driver).first->second;
    opened_.context->setOutputAllocator(name, &output);
  }
  return {};
}

// Asks for the values of all tensors that were marked for debugging when the engine was built.
Answer<void> EngineRun::listen() {
  nvinfer1::IExecutionContext& context = *opened_.context;
  sdk_.logger.clear();
  bool listens = context.setDebugListener(&listener_) && context.setAllTensorsDebugState(true);
#if NV_TENSORRT_MINOR >= 12
  if (plan_.shows_unfused) listens = listens && context.setUnfusedTensorsDebugState(true);
#endif
  if (listens) return {};
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

// Returns whether all inputs have shapes between the smallest and the largest of the profile. What shape tensors
// contain isn't looked at.
bool EngineRun::takes(int profile, const tensor::NamedTensors& feeds) const {
  const nvinfer1::ICudaEngine& engine = *opened_.engine;
  for (const auto& [name, memory] : inputs_) {
    const tensor::Shape& shape = feeds.find(name)->shape();
    const tensor::Shape min = to_shape(engine.getProfileShape(name.c_str(), profile, OptProfileSelector::kMIN));
    const tensor::Shape max = to_shape(engine.getProfileShape(name.c_str(), profile, OptProfileSelector::kMAX));
    if (min.size() != shape.size() || max.size() != shape.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] < min[i] || shape[i] > max[i]) return false;
    }
  }
  return true;
}

Answer<void> EngineRun::choose_profile(const tensor::NamedTensors& feeds) {
  nvinfer1::IExecutionContext& context = *opened_.context;
  const int profiles = opened_.engine->getNbOptimizationProfiles();
  int chosen = plan_.profile.value_or(0);
  if (!plan_.profile && profiles > 1) {
    while (chosen < profiles && !takes(chosen, feeds)) ++chosen;
    if (chosen == profiles) {
      return refuse(Phase::run, 0,
                    fmt::format("none of the engine's {} profiles takes inputs of these shapes", profiles));
    }
  }
  if (profiles == 0 || context.getOptimizationProfile() == chosen) return {};
  sdk_.logger.clear();
  if (!context.setOptimizationProfileAsync(chosen, stream_)) {
    return tl::unexpected(sdk_.logger.refused(Phase::run, fmt::format("TensorRT can't use profile {}", chosen)));
  }
  return wait("change the profile");
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
  const std::span<const std::byte> bytes = tensor.bytes();
  // Values that shapes depend on are read by the host.
  if (opened_.engine->getTensorLocation(name.c_str()) == TensorLocation::kHOST) {
    context.setInputTensorAddress(name.c_str(), bytes.data());
    return {};
  }
  DeviceMemory& memory = inputs_.at(name);
  ASSAY_TRY(memory.reserve(bytes.size()));
  context.setInputTensorAddress(name.c_str(), memory.pointer());
  if (bytes.empty()) return {};
  return sdk_.driver.check(
      sdk_.driver.api().cuMemcpyHtoDAsync_v2(memory.address(), bytes.data(), bytes.size(), stream_), Phase::run,
      fmt::format("copy the input '{}' to the GPU", name));
}

Answer<void> EngineRun::reserve_activations() {
  if (plan_.allocation != tensorrt::Allocation::for_shapes) return {};
  const std::size_t bytes = opened_.context->updateDeviceMemorySizeForShapes();
  ASSAY_TRY(activations_.reserve(bytes));
  opened_.context->setDeviceMemory(activations_.pointer());
  return {};
}

Answer<void> EngineRun::wait(const std::string& action) {
  return sdk_.driver.check(sdk_.driver.api().cuStreamSynchronize(stream_), Phase::run, action);
}

// Memory of the host can't grow during a run, so there is enough for the largest output of these inputs.
Answer<void> EngineRun::set_host_output(const std::string& name) {
  const std::int64_t bytes = opened_.context->getMaxOutputSize(name.c_str());
  if (bytes < 0) return refuse(Phase::run, 0, fmt::format("TensorRT doesn't tell the size of the output '{}'", name));
  std::vector<std::byte>& memory = host_outputs_.at(name);
  memory.resize(std::max<std::size_t>(1, static_cast<std::size_t>(bytes)));  // empty tensors need an address, too
  if (opened_.context->setTensorAddress(name.c_str(), memory.data())) return {};
  return tl::unexpected(sdk_.logger.refused(Phase::run, fmt::format("TensorRT takes no memory for '{}'", name)));
}

Answer<tensor::Tensor> EngineRun::take_output(const std::string& name) {
  const tensor::ElementType type = to_element_type(opened_.engine->getTensorDataType(name.c_str()));
  tensor::Shape shape = to_shape(opened_.context->getTensorShape(name.c_str()));
  if (const auto host = host_outputs_.find(name); host != host_outputs_.end()) {
    return copy_tensor(name, type, std::move(shape), {host->second.data(), host->second.size()}, TensorLocation::kHOST,
                       stream_, sdk_.driver);
  }
  const OutputBuffer& output = outputs_.at(name);
  if (output.shape()) shape = *output.shape();
  return copy_tensor(name, type, std::move(shape), {output.memory().pointer(), output.memory().size()},
                     TensorLocation::kDEVICE, stream_, sdk_.driver);
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
  for (const auto& [name, memory] : inputs_) ASSAY_TRY(set_input(name, *feeds.find(name)));
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
  result.runtime_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (const auto& [name, output] : outputs_) {
    if (output.refused()) return tl::unexpected(*output.refused());
  }
  if (listener_.refused()) return tl::unexpected(*listener_.refused());
  if (!queued) return tl::unexpected(sdk_.logger.refused(Phase::run, "TensorRT can't run the engine"));
  ASSAY_TRY(ran);
  ASSAY_TRY(take_outputs(wanted, result));
  return result;
}

}  // namespace assay::backend

// All copies and the engine's work are queued in one stream, so they happen in their order; the host waits twice: for
// the engine, whose time is measured without copies, and for the outputs.
#include "backend/tensorrt/sdk/run_engine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "backend/tensorrt/sdk/dimensions.h"

namespace assay::backend {
namespace {

using nvinfer1::OptProfileSelector;
using nvinfer1::TensorIOMode;
using worker::Phase;

}  // namespace

Answer<std::unique_ptr<EngineRun>> EngineRun::prepare(const tensorrt::EnginePlan& plan, const OpenedEngine& opened,
                                                      TensorRtSdk& sdk) {
  std::unique_ptr<EngineRun> run(new EngineRun(plan, opened, sdk));
  constexpr unsigned kNonBlocking = 1;  // CU_STREAM_NON_BLOCKING
  ASSAY_TRY(
      sdk.driver.check(sdk.driver.api().cuStreamCreate(&run->stream_, kNonBlocking), Phase::load, "make a stream"));
  for (const worker::Port& port : run->ports(TensorIOMode::kINPUT)) run->inputs_.try_emplace(port.name, sdk.driver);
  for (const worker::Port& port : run->ports(TensorIOMode::kOUTPUT)) {
    OutputBuffer& output = run->outputs_.try_emplace(port.name, sdk.driver).first->second;
    opened.context->setOutputAllocator(port.name.c_str(), &output);
  }
  const int profiles = opened.engine->getNbOptimizationProfiles();
  if (plan.profile && *plan.profile >= profiles) {
    return refuse(Phase::load, 0,
                  fmt::format("--optimization-profile: there is no profile {}; the engine has {}, counted from 0",
                              *plan.profile, profiles));
  }
  return run;
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
  if (opened_.engine->getTensorLocation(name.c_str()) == nvinfer1::TensorLocation::kHOST) {
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

Answer<tensor::Tensor> EngineRun::take_output(const std::string& name) {
  const OutputBuffer& output = outputs_.at(name);
  const tensor::ElementType type = to_element_type(opened_.engine->getTensorDataType(name.c_str()));
  tensor::Shape shape = output.shape().value_or(to_shape(opened_.context->getTensorShape(name.c_str())));
  const auto count = tensor::element_count(shape);
  const auto size = count ? tensor::byte_size(type, *count) : std::nullopt;
  if (!size || *size > output.memory().size()) {
    return refuse(
        Phase::run, 0,
        fmt::format("TensorRT gave the output '{}' no memory for its shape [{}]", name, fmt::join(shape, ",")));
  }
  std::vector<std::byte> bytes(*size);
  if (!bytes.empty()) {
    ASSAY_TRY(sdk_.driver.check(
        sdk_.driver.api().cuMemcpyDtoHAsync_v2(bytes.data(), output.memory().address(), bytes.size(), stream_),
        Phase::run, fmt::format("copy the output '{}' from the GPU", name)));
    ASSAY_TRY(wait(fmt::format("copy the output '{}' from the GPU", name)));
  }
  auto made = tensor::Tensor::make(type, std::move(shape), tensor::Buffer::own(std::move(bytes)));
  if (made) return *std::move(made);
  return refuse(Phase::run, 0, fmt::format("the output '{}' is invalid: {}", name, made.error().message()));
}

Answer<worker::InferResult> EngineRun::infer(const tensor::NamedTensors& feeds,
                                             const std::vector<std::string>& wanted) {
  ASSAY_TRY(choose_profile(feeds));
  for (const auto& [name, memory] : inputs_) ASSAY_TRY(set_input(name, *feeds.find(name)));
  for (auto& [name, output] : outputs_) output.begin();
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
  if (!queued) return tl::unexpected(sdk_.logger.refused(Phase::run, "TensorRT can't run the engine"));
  ASSAY_TRY(ran);
  for (const std::string& name : wanted) {
    ASSAY_ASSIGN(tensor::Tensor output, take_output(name));
    result.outputs.set(name, std::move(output));
  }
  return result;
}

}  // namespace assay::backend

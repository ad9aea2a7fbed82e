// Runs an engine: chooses the profile, copies inputs to the GPU and outputs back.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/tensorrt/sdk/debug_listener.h"
#include "backend/tensorrt/sdk/device_memory.h"
#include "backend/tensorrt/sdk/host_memory.h"
#include "backend/tensorrt/sdk/open_engine.h"
#include "backend/tensorrt/sdk/output_buffer.h"
#include "backend/tensorrt/sdk/tensor_layout.h"

namespace assay::backend {

class EngineRun {
 public:
  // `sdk` and `opened` must outlive it. `shows_tensors`: tensors of the engine are marked for debugging. Returns a
  // Refused if the driver has no stream left, and if the engine doesn't show such tensors.
  static Answer<std::unique_ptr<EngineRun>> prepare(const tensorrt::EnginePlan& plan, bool shows_tensors,
                                                    const OpenedEngine& opened, TensorRtSdk& sdk);
  ~EngineRun();
  EngineRun(const EngineRun&) = delete;
  EngineRun& operator=(const EngineRun&) = delete;

  // Inputs and outputs in the engine's order. Dynamic dimensions are negative.
  [[nodiscard]] std::vector<worker::Port> ports(nvinfer1::TensorIOMode mode) const;

  // `feeds` has all inputs, and `wanted` are names of outputs. The tensors that are marked for debugging follow them.
  // Returns a Refused in phase run.
  Answer<worker::InferResult> infer(const tensor::NamedTensors& feeds, const std::vector<std::string>& wanted);

 private:
  EngineRun(const tensorrt::EnginePlan& plan, const OpenedEngine& opened, TensorRtSdk& sdk)
      : plan_(plan), opened_(opened), sdk_(sdk), activations_(sdk.driver), listener_(sdk) {}

  Answer<void> choose_profile(const tensor::NamedTensors& feeds);
  // Adds the shapes that the profiles take to an error, if the chosen one doesn't take these inputs: TensorRT's own
  // words may only say that a dimension is another one.
  [[nodiscard]] worker::Refused with_profiles(worker::Refused refused, const tensor::NamedTensors& feeds) const;
  Answer<void> set_inputs(const tensor::NamedTensors& feeds);
  Answer<void> set_input(const std::string& name, const tensor::Tensor& tensor);
  Answer<void> set_address(const std::string& name, void* address);
  Answer<void> copy_to_gpu(const std::string& name, const tensor::Tensor& tensor);
  [[nodiscard]] Answer<TensorLayout> layout(const std::string& name) const;
  Answer<void> prepare_outputs();
  Answer<void> listen(bool shows_tensors);
  Answer<void> set_host_output(const std::string& name);
  Answer<void> reserve_activations();
  Answer<tensor::Tensor> take_output(const std::string& name);
  Answer<void> take_outputs(const std::vector<std::string>& wanted, worker::InferResult& result);
  Answer<void> wait(const std::string& action);

  const tensorrt::EnginePlan& plan_;
  const OpenedEngine& opened_;
  TensorRtSdk& sdk_;
  cuda::Stream stream_ = nullptr;
  std::optional<int> profile_;  // that was selected
  std::map<std::string, DeviceMemory> inputs_;
  std::map<std::string, HostMemory> host_inputs_;   // those that the host reads: what shapes depend on
  std::map<std::string, OutputBuffer> outputs_;     // those that TensorRT asks for memory of the GPU
  std::map<std::string, HostMemory> host_outputs_;  // those that the host gets: shapes
  std::map<std::string, std::string> aliases_;      // outputs that are in the memory of an input
  DeviceMemory activations_;                        // unless --allocation-strategy is static
  DebugListener listener_;
};

}  // namespace assay::backend

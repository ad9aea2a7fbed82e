// Runs an engine: chooses the profile, copies inputs to the GPU and outputs back.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/tensorrt/sdk/device_memory.h"
#include "backend/tensorrt/sdk/open_engine.h"
#include "backend/tensorrt/sdk/output_buffer.h"

namespace assay::backend {

class EngineRun {
 public:
  // `sdk` and `opened` must outlive it. Returns a Refused if the driver has no stream left.
  static Answer<std::unique_ptr<EngineRun>> prepare(const tensorrt::EnginePlan& plan, const OpenedEngine& opened,
                                                    TensorRtSdk& sdk);

  // Inputs and outputs in the engine's order. Open sizes are negative.
  [[nodiscard]] std::vector<worker::Port> ports(nvinfer1::TensorIOMode mode) const;

  // `feeds` has all inputs, and `wanted` are names of outputs. Returns a Refused in phase run.
  Answer<worker::InferResult> infer(const tensor::NamedTensors& feeds, const std::vector<std::string>& wanted);

 private:
  EngineRun(const tensorrt::EnginePlan& plan, const OpenedEngine& opened, TensorRtSdk& sdk)
      : plan_(plan), opened_(opened), sdk_(sdk), activations_(sdk.driver) {}

  [[nodiscard]] bool takes(int profile, const tensor::NamedTensors& feeds) const;
  Answer<void> choose_profile(const tensor::NamedTensors& feeds);
  Answer<void> set_input(const std::string& name, const tensor::Tensor& tensor);
  Answer<void> reserve_activations();
  Answer<tensor::Tensor> take_output(const std::string& name);
  Answer<void> wait(const std::string& action);

  const tensorrt::EnginePlan& plan_;
  const OpenedEngine& opened_;
  TensorRtSdk& sdk_;
  cuda::Stream stream_ = nullptr;
  std::map<std::string, DeviceMemory> inputs_;
  std::map<std::string, OutputBuffer> outputs_;
  DeviceMemory activations_;  // with --allocation-strategy runtime
};

}  // namespace assay::backend

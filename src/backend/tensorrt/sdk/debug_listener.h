// Receives the values of tensors that are marked for debugging. TensorRT shows each of them during a run.
#pragma once

#include <NvInferRuntime.h>

#include <optional>

#include "backend/tensorrt/sdk/sdk.h"

namespace assay::backend {

class DebugListener final : public nvinfer1::IDebugListener {
 public:
  explicit DebugListener(TensorRtSdk& sdk) : sdk_(sdk) {}

  // Copies the tensor. A tensor of a type that ONNX doesn't have is skipped with a warning.
  bool processDebugTensor(void const* address, nvinfer1::TensorLocation location, nvinfer1::DataType type,
                          nvinfer1::Dims const& shape, char const* name, cudaStream_t stream) override;

  // Forgets the values and the error of the last run.
  void begin();
  // Returns the tensors in the order in which they came. A tensor that came twice, in a loop, has its last value.
  [[nodiscard]] const tensor::NamedTensors& tensors() const { return tensors_; }
  // Returns why a tensor couldn't be copied, or nothing.
  [[nodiscard]] const std::optional<worker::Refused>& refused() const { return refused_; }

 private:
  TensorRtSdk& sdk_;
  tensor::NamedTensors tensors_;
  std::optional<worker::Refused> refused_;
};

}  // namespace assay::backend

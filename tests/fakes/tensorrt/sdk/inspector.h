// The engine inspector. As in TensorRT, what it shows depends on the verbosity that the engine was built with: names
// only by default, types, tensors and metadata with kDETAILED, and nothing with kNONE. Types of tensors with dynamic
// sizes are only shown for a context whose inputs have shapes, with the sizes that follow from these.
#pragma once

#include <string>
#include <vector>

#include "infer_stubs.h"
#include "plan.h"

namespace fake_tensorrt {

class Inspector final : public nvinfer1::apiv::stubs::VEngineInspector {
 public:
  explicit Inspector(const Plan& plan) : plan_(plan) {}
  bool setExecutionContext(nvinfer1::IExecutionContext const* context) noexcept override;
  nvinfer1::IExecutionContext const* getExecutionContext() const noexcept override { return context_; }
  // Both return text that is valid until the next call.
  char const* getLayerInformation(int32_t layer, nvinfer1::LayerInformationFormat format) const noexcept override;
  char const* getEngineInformation(nvinfer1::LayerInformationFormat format) const noexcept override;

 private:
  [[nodiscard]] std::vector<nvinfer1::Dims> shapes() const;  // of all tensors

  const Plan& plan_;
  nvinfer1::IExecutionContext const* context_ = nullptr;
  mutable std::string text_;
};

}  // namespace fake_tensorrt

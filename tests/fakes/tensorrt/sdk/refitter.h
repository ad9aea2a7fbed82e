// The refitter, which replaces the weights of an engine by their names. The fake names those of a constant layer after
// it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine.h"
#include "infer_stubs.h"

namespace fake_tensorrt {

class Refitter final : public nvinfer1::apiv::stubs::VRefitter {
 public:
  // Both must outlive the refitter.
  Refitter(Engine& engine, nvinfer1::ILogger& logger) : engine_(engine), logger_(logger) {}

  nvinfer1::ILogger* getLogger() const noexcept override { return &logger_; }
  int32_t getAllWeights(int32_t size, char const** names) noexcept override;
  int32_t getMissingWeights(int32_t size, char const** names) noexcept override;
  // Returns false for a name that the engine doesn't have, and for another type or number of elements.
  bool setNamedWeights(char const* name, nvinfer1::Weights weights) noexcept override;
  // The weights that were set are read here.
  bool refitCudaEngine() noexcept override;

 private:
  Engine& engine_;
  nvinfer1::ILogger& logger_;
  std::map<std::string, nvinfer1::Weights> weights_;
};

}  // namespace fake_tensorrt

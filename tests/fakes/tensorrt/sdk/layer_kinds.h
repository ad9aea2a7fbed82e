// What layers have besides a name, inputs and outputs: the functions of their kind. Most kinds answer every question
// with zeros, since the layers of operators/ compute with attributes of their own.
#pragma once

#include "graph.h"
#include "infer_stubs.h"

namespace fake_tensorrt {

// Has no functions: the layer's public object is an ILayer only.
struct NoKind {
  explicit NoKind(const GraphLayer& /*row*/) {}
};

template <class Stub>
struct Blank final : Stub {
  explicit Blank(const GraphLayer& /*row*/) {}
};

class ActivationKind final : public nvinfer1::apiv::stubs::VActivationLayer {
 public:
  explicit ActivationKind(const GraphLayer& row) : row_(row) {}
  nvinfer1::ActivationType getActivationType() const noexcept override {
    return static_cast<nvinfer1::ActivationType>(row_.operation);
  }
  float getAlpha() const noexcept override { return 0; }
  float getBeta() const noexcept override { return 0; }

 private:
  const GraphLayer& row_;
};

class ElementWiseKind final : public nvinfer1::apiv::stubs::VElementWiseLayer {
 public:
  explicit ElementWiseKind(const GraphLayer& row) : row_(row) {}
  nvinfer1::ElementWiseOperation getOperation() const noexcept override {
    return static_cast<nvinfer1::ElementWiseOperation>(row_.operation);
  }

 private:
  const GraphLayer& row_;
};

class ConstantKind final : public nvinfer1::apiv::stubs::VConstantLayer {
 public:
  explicit ConstantKind(const GraphLayer& row) : row_(row) {}
  nvinfer1::Weights getWeights() const noexcept override {
    return {row_.weights_type, row_.weights.data(), row_.weights_count};
  }
  nvinfer1::Dims getDimensions() const noexcept override { return row_.weights_dims; }

 private:
  const GraphLayer& row_;
};

}  // namespace fake_tensorrt

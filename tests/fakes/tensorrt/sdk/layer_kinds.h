// The functions that layers have because of their kind, besides a name, inputs and outputs. Most kinds answer every
// question with zeros, since the layers of operators/ compute with attributes of their own.
#pragma once

#include "graph.h"
#include "infer_stubs.h"
#include "misbehave.h"

namespace fake_tensorrt {

// Has no functions: the layer's public object is an ILayer only.
struct NoKind {
  explicit NoKind(const GraphLayer& /*row*/) {}
};

template <class Stub>
struct Blank final : Stub {
  explicit Blank(const GraphLayer& /*row*/) {}
};

// A function that a lean runtime of TensorRT 10.0, as which a test can use the fake, doesn't have.
class SliceKind final : public nvinfer1::apiv::blank::VSliceLayer {
 public:
  explicit SliceKind(const GraphLayer& /*row*/) {}
#if NV_TENSORRT_MAJOR > 10 || NV_TENSORRT_MINOR >= 3
  nvinfer1::Dims getAxes() const noexcept override {
    crash_if_too_old("ISliceLayer::getAxes");
    return {};
  }
#endif
};

class NonZeroKind final : public nvinfer1::apiv::blank::VNonZeroLayer {
 public:
  explicit NonZeroKind(const GraphLayer& /*row*/) {}
#if NV_TENSORRT_MAJOR > 10 || NV_TENSORRT_MINOR >= 14
  nvinfer1::DataType getIndicesType() const noexcept override {
    crash_if_too_old("INonZeroLayer::getIndicesType");
    return nvinfer1::DataType::kINT64;
  }
#endif
};

// Answers from the layer's row.
template <class Stub>
class FromRow : public Stub {
 public:
  explicit FromRow(const GraphLayer& row) : row_(row) {}

 protected:
  const GraphLayer& row_;
};

class ActivationKind final : public FromRow<nvinfer1::apiv::stubs::VActivationLayer> {
 public:
  using FromRow::FromRow;
  nvinfer1::ActivationType getActivationType() const noexcept override {
    return static_cast<nvinfer1::ActivationType>(row_.operation);
  }
  float getAlpha() const noexcept override { return 0; }
  float getBeta() const noexcept override { return 0; }
};

class ElementWiseKind final : public FromRow<nvinfer1::apiv::stubs::VElementWiseLayer> {
 public:
  using FromRow::FromRow;
  nvinfer1::ElementWiseOperation getOperation() const noexcept override {
    return static_cast<nvinfer1::ElementWiseOperation>(row_.operation);
  }
};

class ConstantKind final : public FromRow<nvinfer1::apiv::stubs::VConstantLayer> {
 public:
  using FromRow::FromRow;
  nvinfer1::Weights getWeights() const noexcept override {
    return {row_.weights_type, row_.weights.data(), row_.weights_count};
  }
  nvinfer1::Dims getDimensions() const noexcept override { return row_.weights_dims; }
};

#ifdef FAKE_HAS_VKVCacheUpdateLayer
class CacheUpdateKind final : public nvinfer1::apiv::blank::VKVCacheUpdateLayer {
 public:
  explicit CacheUpdateKind(const GraphLayer& /*row*/) {}
#if NV_TENSORRT_MAJOR > 10
  nvinfer1::AttentionIOForm getUpdateForm() const noexcept override { return nvinfer1::AttentionIOForm::kPACKED_NHD; }
#endif
};
#endif

class LoopKind final : public nvinfer1::apiv::blank::VLoop {
 public:
  char const* getName() const noexcept override { return "fake loop"; }
};

class ConditionalKind final : public nvinfer1::apiv::blank::VIfConditional {
 public:
  char const* getName() const noexcept override { return "fake conditional"; }
};

// The public objects. All loops and all conditionals of the fake are the same.
class Loop final : public nvinfer1::ILoop {
 public:
  Loop() { mImpl = &kind_; }

 private:
  LoopKind kind_;
};

class Conditional final : public nvinfer1::IIfConditional {
 public:
  Conditional() { mImpl = &kind_; }

 private:
  ConditionalKind kind_;
};

class LoopBoundary final : public nvinfer1::apiv::blank::VLoopBoundaryLayer {
 public:
  nvinfer1::ILoop* getLoop() const noexcept override {
    static Loop only_loop;
    return &only_loop;
  }
};

class ConditionalBoundary final : public nvinfer1::apiv::blank::VConditionalBoundaryLayer {
 public:
  nvinfer1::IIfConditional* getConditional() const noexcept override {
    static Conditional only_conditional;
    return &only_conditional;
  }
};

#ifdef FAKE_HAS_VAttention
class AttentionKind final : public nvinfer1::apiv::blank::VAttention {
 public:
  char const* getName() const noexcept override { return "fake attention"; }
  nvinfer1::AttentionNormalizationOp getNormalizationOperation() const noexcept override {
    return nvinfer1::AttentionNormalizationOp::kSOFTMAX;
  }
  bool getCausal() const noexcept override { return true; }
  bool setDecomposable(bool decomposable) noexcept override {
    is_decomposable_ = decomposable;
    return true;
  }
  bool getDecomposable() const noexcept override { return is_decomposable_; }
#if NV_TENSORRT_MAJOR > 10 || NV_TENSORRT_MINOR >= 16
  int32_t getNbRanks() const noexcept override { return 1; }
#endif
#if NV_TENSORRT_MAJOR > 10
  nvinfer1::CausalMaskKind getCausalKind() const noexcept override { return nvinfer1::CausalMaskKind::kLOWER_RIGHT; }
  nvinfer1::AttentionIOForm getQueryForm() const noexcept override { return nvinfer1::AttentionIOForm::kPACKED_NHD; }
#endif

 private:
  bool is_decomposable_ = false;
};

// The public object. All attentions of the fake are the same.
class Attention final : public nvinfer1::IAttention {
 public:
  Attention() { mImpl = &kind_; }

 private:
  AttentionKind kind_;
};

class AttentionBoundary final : public nvinfer1::apiv::blank::VAttentionBoundaryLayer {
 public:
  nvinfer1::IAttention* getAttention() const noexcept override {
    static Attention only_attention;
    return &only_attention;
  }
};
#endif

}  // namespace fake_tensorrt

// A copy of a model on which ONNX's shape inference and checker can work without reading large weights.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <utility>
#include <vector>

#include "model/model.h"

namespace assay::model {

// Inference reads the values of some constants: shapes, axes, splits. The copy therefore holds the values of 32- and
// 64-bit integer tensors of rank 0 or 1 and at most kLargest bytes. All other weights stay references.
class InferenceCopy {
 public:
  static constexpr std::uint64_t kLargest = 64 << 10;
  // The tensors whose values are read: all, or those that are inline in the file (for checks of the model file alone).
  enum class Values { all, inline_only };

  InferenceCopy(const Model& model, Values values);
  InferenceCopy(const InferenceCopy&) = delete;
  InferenceCopy& operator=(const InferenceCopy&) = delete;

  onnx::ModelProto& proto() { return proto_; }
  // Returns the message with its original references, and leaves this object empty.
  onnx::ModelProto restored() &&;

 private:
  onnx::ModelProto proto_;
  std::vector<std::pair<onnx::TensorProto*, onnx::TensorProto>> references_;  // tensor in proto_, original reference
};

// Reads those values into `proto`, a copy of `model` or of a part of it, and calls `before_change` with each tensor
// that it changes. Values that can't be read stay references.
void read_values_for_inference(const Model& model, InferenceCopy::Values values, onnx::ModelProto& proto,
                               const std::function<void(onnx::TensorProto&)>& before_change);

}  // namespace assay::model

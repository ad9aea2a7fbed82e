// A copy of a model that ONNX's shape inference and checker can work on without reading weights.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <utility>
#include <vector>

#include "model/model.h"

namespace assay::model {

// Inference looks at the values of some constants: shapes, axes, splits. Those are put into the copy where they are by
// reference: 32- and 64-bit integers of rank 0 or 1 up to kLargest bytes. All else stays a reference.
class InferenceCopy {
 public:
  static constexpr std::uint64_t kLargest = 64 << 10;
  // Of which tensors: all, or those that are inline in the file (what a reader of the file alone has at hand).
  enum class Values { all, inline_only };

  InferenceCopy(const Model& model, Values values);
  InferenceCopy(const InferenceCopy&) = delete;
  InferenceCopy& operator=(const InferenceCopy&) = delete;

  onnx::ModelProto& proto() { return proto_; }
  // The message with its references as they were.
  onnx::ModelProto restored() &&;

 private:
  onnx::ModelProto proto_;
  std::vector<std::pair<onnx::TensorProto*, onnx::TensorProto>> references_;  // in proto_, and what they were
};

// Puts those values into `proto`, a copy of the model or of parts of it; `replace` is called for each such tensor
// before.
void read_values_for_inference(const Model& model, InferenceCopy::Values values, onnx::ModelProto& proto,
                               const std::function<void(onnx::TensorProto&)>& replace);

}  // namespace assay::model

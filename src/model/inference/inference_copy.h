// A copy of a model on which ONNX's shape inference and checker can work without reading large weights.
#pragma once

#include <onnx/onnx_pb.h>

#include <functional>
#include <utility>
#include <vector>

#include "model/model.h"

namespace assay::model {

// The sparse initializers that a graph had.
using SparseInitializers =
    std::vector<std::pair<onnx::GraphProto*, google::protobuf::RepeatedPtrField<onnx::SparseTensorProto>>>;

// Replaces the sparse initializers of a graph and its bodies by dense ones, after the others and without values. Nodes
// read a sparse initializer as a dense tensor, but ONNX's inference gives it no shape and rejects the nodes.
SparseInitializers declare_sparse_as_dense(onnx::GraphProto& graph);

// Inference reads the values of some constants: shapes, axes, splits. The copy therefore holds the values of 32- and
// 64-bit integer tensors of rank 0 or 1 and at most kLargest bytes. All other weights stay references. With
// Values::all, sparse initializers are dense ones without values (declare_sparse_as_dense).
class InferenceCopy {
 public:
  static constexpr std::uint64_t kLargest = 64 << 10;
  // The tensors whose values are read: all, or those that are inline in the file (for checks of the model file alone).
  enum class Values { all, inline_only };

  InferenceCopy(const Model& model, Values values);
  InferenceCopy(const InferenceCopy&) = delete;
  InferenceCopy& operator=(const InferenceCopy&) = delete;

  onnx::ModelProto& proto() { return proto_; }
  // Returns the message with its original references and sparse initializers, and leaves this object empty.
  onnx::ModelProto restored() &&;

 private:
  onnx::ModelProto proto_;
  std::vector<std::pair<onnx::TensorProto*, onnx::TensorProto>> references_;  // tensor in proto_, original reference
  SparseInitializers sparse_;
};

// Reads those values into `proto`, a copy of `model` or of a part of it, and calls `before_change` with each tensor
// that it changes. Values that can't be read stay references.
void read_values_for_inference(const Model& model, InferenceCopy::Values values, onnx::ModelProto& proto,
                               const std::function<void(onnx::TensorProto&)>& before_change);

}  // namespace assay::model

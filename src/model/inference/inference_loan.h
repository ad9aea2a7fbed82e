// The input of ONNX's shape inference, for callers that need only the results.
//
// Inference writes to value infos, inputs, outputs and bodies, but only reads most nodes and tensors. The model lends
// those instead of having them copied, which saves most of a copy's time and memory.
#pragma once

#include <onnx/onnx_pb.h>

#include <memory>
#include <vector>

#include "model/inference/lent_messages.h"
#include "model/model.h"

namespace assay::model {

// Holds the values that inference reads, as InferenceCopy with Values::all does. The model must outlive this object and
// must not change meanwhile.
class InferenceLoan {
 public:
  explicit InferenceLoan(const Model& model);
  InferenceLoan(const InferenceLoan&) = delete;
  InferenceLoan& operator=(const InferenceLoan&) = delete;

  // Pass it to inference only: most of its nodes and initializers belong to the model.
  onnx::ModelProto& proto() { return proto_; }

 private:
  template <class Message>
  using Copies = std::vector<std::unique_ptr<const Message>>;

  onnx::ModelProto proto_;
  Copies<onnx::NodeProto> copied_nodes_;  // those that inference or reading of values may change
  Copies<onnx::TensorProto> copied_initializers_;
  LentMessages<onnx::NodeProto> nodes_{*proto_.mutable_graph()->mutable_node()};
  LentMessages<onnx::TensorProto> initializers_{*proto_.mutable_graph()->mutable_initializer()};
};

}  // namespace assay::model

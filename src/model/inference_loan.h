// What ONNX's shape inference needs of a model, for its results alone.
//
// Inference writes into value infos, inputs and outputs, and into bodies; of most nodes and tensors it only reads. So
// these are lent by the model, not copied, which is most of a copy's time and memory.
#pragma once

#include <onnx/onnx_pb.h>

#include <memory>
#include <vector>

#include "model/lent_messages.h"
#include "model/model.h"

namespace assay::model {

// Values that inference looks at are there as in InferenceCopy with Values::all. The model must outlive this unchanged.
class InferenceLoan {
 public:
  explicit InferenceLoan(const Model& model);
  InferenceLoan(const InferenceLoan&) = delete;
  InferenceLoan& operator=(const InferenceLoan&) = delete;

  // For inference only: its nodes and initializers are the model's.
  onnx::ModelProto& proto() { return proto_; }

 private:
  template <class Message>
  using Copies = std::vector<std::unique_ptr<const Message>>;

  onnx::ModelProto proto_;
  Copies<onnx::NodeProto> copied_nodes_;  // that inference or reading of values may change
  Copies<onnx::TensorProto> copied_initializers_;
  LentMessages<onnx::NodeProto> nodes_{*proto_.mutable_graph()->mutable_node()};
  LentMessages<onnx::TensorProto> initializers_{*proto_.mutable_graph()->mutable_initializer()};
};

}  // namespace assay::model

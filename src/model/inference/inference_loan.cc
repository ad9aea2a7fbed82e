// Nodes and tensors that inference or the reading of values may change are copied into the message first, so that
// values are read into it as into any other model. The copies are then taken out and lent back at their positions.
#include "model/inference/inference_loan.h"

#include <algorithm>
#include <iterator>

#include "model/attributes.h"
#include "model/external_data.h"
#include "model/inference/inference_copy.h"
#include "model/inference/model_frame.h"

namespace assay::model {
namespace {

bool may_change(const onnx::AttributeProto& attribute) {
  return holds_body(attribute) || attribute.tensors_size() > 0 || attribute.has_sparse_tensor() ||
         attribute.sparse_tensors_size() > 0 || (attribute.has_t() && is_external(attribute.t()));
}
bool may_change(const onnx::NodeProto& node) {
  return std::ranges::any_of(node.attribute(), [](const onnx::AttributeProto& item) { return may_change(item); });
}
bool may_change(const onnx::TensorProto& tensor) {
  return is_external(tensor);
}

template <class Field>
void copy_changing(const Field& from, Field& to) {
  for (const auto& message : from) {
    if (may_change(message)) *to.Add() = message;
  }
}

template <class Message>
std::vector<std::unique_ptr<const Message>> take_out(google::protobuf::RepeatedPtrField<Message>& field) {
  std::vector<Message*> taken(static_cast<std::size_t>(field.size()));
  field.ExtractSubrange(0, field.size(), taken.data());
  return {taken.begin(), taken.end()};
}

template <class Field, class Copies, class Lent>
void lend(const Field& from, const Copies& copies, Lent& to) {
  to.reserve(static_cast<std::size_t>(from.size()));
  auto copy = copies.begin();
  for (const auto& message : from) to.add(may_change(message) ? **copy++ : message);
}

}  // namespace

InferenceLoan::InferenceLoan(const Model& model) : proto_(model_frame(model.proto)) {
  const onnx::GraphProto& from = model.graph();
  onnx::GraphProto& graph = *proto_.mutable_graph();
  *graph.mutable_input() = from.input();
  *graph.mutable_output() = from.output();
  *graph.mutable_value_info() = from.value_info();
  *graph.mutable_sparse_initializer() = from.sparse_initializer();
  copy_changing(from.node(), *graph.mutable_node());
  copy_changing(from.initializer(), *graph.mutable_initializer());
  read_values_for_inference(model, InferenceCopy::Values::all, proto_, [](const onnx::TensorProto&) {});
  declare_sparse_as_dense(graph);
  copied_nodes_ = take_out(*graph.mutable_node());
  copied_initializers_ = take_out(*graph.mutable_initializer());
  lend(from.node(), copied_nodes_, nodes_);
  lend(from.initializer(), copied_initializers_, initializers_);
  for (std::size_t i = copied_initializers_.size() - static_cast<std::size_t>(from.sparse_initializer_size());
       i < copied_initializers_.size(); ++i) {
    initializers_.add(*copied_initializers_[i]);
  }
}

}  // namespace assay::model

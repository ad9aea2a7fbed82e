// The walk is a template over const and mutable messages. It must not be one over mutable messages with a const_cast:
// mutable_x() writes to the message, and threads may read the same model.
#include "model/visit_tensors.h"

namespace assay::model {
namespace {

// Defines x_of(message) as message.x() or *message.mutable_x(), depending on whether the message is const.
#define ASSAY_FIELD(Message, field)                      \
  auto& field##_of(onnx::Message& message) {             \
    return *message.mutable_##field();                   \
  }                                                      \
  const auto& field##_of(const onnx::Message& message) { \
    return message.field();                              \
  }
ASSAY_FIELD(SparseTensorProto, values)
ASSAY_FIELD(SparseTensorProto, indices)
ASSAY_FIELD(AttributeProto, t)
ASSAY_FIELD(AttributeProto, tensors)
ASSAY_FIELD(AttributeProto, sparse_tensor)
ASSAY_FIELD(AttributeProto, sparse_tensors)
ASSAY_FIELD(AttributeProto, g)
ASSAY_FIELD(AttributeProto, graphs)
ASSAY_FIELD(NodeProto, attribute)
ASSAY_FIELD(GraphProto, initializer)
ASSAY_FIELD(GraphProto, sparse_initializer)
ASSAY_FIELD(GraphProto, node)
ASSAY_FIELD(FunctionProto, attribute_proto)
ASSAY_FIELD(FunctionProto, node)
ASSAY_FIELD(TrainingInfoProto, initialization)
ASSAY_FIELD(TrainingInfoProto, algorithm)
ASSAY_FIELD(ModelProto, graph)
ASSAY_FIELD(ModelProto, functions)
ASSAY_FIELD(ModelProto, training_info)
#undef ASSAY_FIELD

template <class Visit>
struct Walk {
  const Visit& visit;

  void sparse(auto& sparse) const {
    if (sparse.has_values()) visit(values_of(sparse), TensorRole::other);
    if (sparse.has_indices()) visit(indices_of(sparse), TensorRole::other);
  }

  void attribute(auto& attribute, TensorRole role) const {
    if (attribute.has_t()) visit(t_of(attribute), TensorRole::other);
    for (auto& tensor : tensors_of(attribute)) visit(tensor, TensorRole::other);
    if (attribute.has_sparse_tensor()) sparse(sparse_tensor_of(attribute));
    for (auto& tensor : sparse_tensors_of(attribute)) sparse(tensor);
    if (attribute.has_g()) graph(g_of(attribute), role);
    for (auto& body : graphs_of(attribute)) graph(body, role);
  }

  void nodes(auto& nodes, TensorRole role) const {
    for (auto& node : nodes) {
      for (auto& item : attribute_of(node)) attribute(item, role);
    }
  }

  void graph(auto& graph, TensorRole role) const {
    for (auto& tensor : initializer_of(graph)) visit(tensor, role);
    for (auto& tensor : sparse_initializer_of(graph)) sparse(tensor);
    nodes(node_of(graph), role);
  }

  void model(auto& model) const {
    if (model.has_graph()) graph(graph_of(model), TensorRole::initializer);
    for (auto& function : functions_of(model)) {
      for (auto& item : attribute_proto_of(function)) attribute(item, TensorRole::other);
      nodes(node_of(function), TensorRole::other);
    }
    for (auto& info : training_info_of(model)) {
      if (info.has_initialization()) graph(initialization_of(info), TensorRole::other);
      if (info.has_algorithm()) graph(algorithm_of(info), TensorRole::other);
    }
  }
};
template <class Visit>
Walk(const Visit&) -> Walk<Visit>;

}  // namespace

void visit_tensors(onnx::ModelProto& model, const std::function<void(onnx::TensorProto&, TensorRole)>& visit) {
  Walk{visit}.model(model);
}

void visit_tensors(const onnx::ModelProto& model,
                   const std::function<void(const onnx::TensorProto&, TensorRole)>& visit) {
  Walk{visit}.model(model);
}

}  // namespace assay::model

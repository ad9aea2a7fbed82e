#include "model/inference/inference_copy.h"

#include "model/external_data.h"
#include "model/visit_tensors.h"
#include "model/weights.h"

namespace assay::model {
namespace {

bool inference_may_read(const onnx::TensorProto& tensor) {
  const bool integer = tensor.data_type() == onnx::TensorProto::INT64 || tensor.data_type() == onnx::TensorProto::INT32;
  return integer && tensor.dims_size() <= 1 && data_bytes(tensor) <= InferenceCopy::kLargest;
}

void declare_sparse_as_dense(onnx::GraphProto& graph, SparseInitializers& replaced) {
  for (onnx::NodeProto& node : *graph.mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) declare_sparse_as_dense(*attribute.mutable_g(), replaced);
      for (onnx::GraphProto& body : *attribute.mutable_graphs()) declare_sparse_as_dense(body, replaced);
    }
  }
  if (graph.sparse_initializer().empty()) return;
  for (const onnx::SparseTensorProto& sparse : graph.sparse_initializer()) {
    onnx::TensorProto& dense = *graph.add_initializer();
    dense.set_name(sparse.values().name());
    dense.set_data_type(sparse.values().data_type());
    *dense.mutable_dims() = sparse.dims();
    set_external_data(dense, {.location = "#sparse", .offset = 0, .length = {}, .inline_form = {}});
  }
  replaced.emplace_back(&graph, std::move(*graph.mutable_sparse_initializer()));
  graph.clear_sparse_initializer();
}

}  // namespace

SparseInitializers declare_sparse_as_dense(onnx::GraphProto& graph) {
  SparseInitializers replaced;
  declare_sparse_as_dense(graph, replaced);
  return replaced;
}

void read_values_for_inference(const Model& model, InferenceCopy::Values values, onnx::ModelProto& proto,
                               const std::function<void(onnx::TensorProto&)>& before_change) {
  visit_tensors(proto, [&](onnx::TensorProto& tensor, TensorRole) {
    if (!is_external(tensor) || !inference_may_read(tensor)) return;
    if (values == InferenceCopy::Values::inline_only && !was_inline(tensor)) return;
    const auto read = read_weight(model, tensor);
    if (!read) return;  // unavailable: inference works without it
    before_change(tensor);
    tensor.clear_data_location();
    tensor.clear_external_data();
    tensor.set_raw_data(std::string(read->buffer().view()));
  });
}

InferenceCopy::InferenceCopy(const Model& model, Values values) : proto_(model.proto) {
  read_values_for_inference(model, values, proto_,
                            [&](onnx::TensorProto& tensor) { references_.emplace_back(&tensor, tensor); });
  if (values == Values::all) sparse_ = declare_sparse_as_dense(*proto_.mutable_graph());
}

onnx::ModelProto InferenceCopy::restored() && {
  for (auto& [tensor, reference] : references_) tensor->Swap(&reference);
  references_.clear();
  for (auto& [graph, sparse] : sparse_) {
    auto& dense = *graph->mutable_initializer();
    dense.DeleteSubrange(dense.size() - sparse.size(), sparse.size());
    graph->mutable_sparse_initializer()->Swap(&sparse);
  }
  sparse_.clear();
  return std::move(proto_);
}

}  // namespace assay::model
